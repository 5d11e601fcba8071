#include "call_types.h"

#include <string.h>

struct shape {
    struct cc_call_type type;
    bool real;         /* with a twin for float, `sqrtf` */
    const char *names; /* between blanks */
};

static const struct shape shapes[] = {
    {{0, 1, false},
     true,
     " sqrt cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 exp10 expm1 log log2 "},
    {{0, 1, false},
     true,
     " log10 log1p logb ilogb fabs floor ceil round trunc rint nearbyint lround llround lrint llrint erf "},
    {{0, 1, false}, true, " erfc tgamma j0 j1 y0 y1 "},
    {{0, 2, false}, true, " pow atan2 fmod hypot fmax fmin fdim copysign remainder nextafter "},
    {{0, 3, false}, true, " fma "},
    {{1, 1, false}, true, " ldexp scalbn scalbln frexp modf "},
    {{2, 1, false}, true, " sincos "},
    {{0, 0, false},
     false,
     " rand random drand48 lrand48 mrand48 clock abort getpid omp_get_wtime omp_get_thread_num "},
    {{0, 0, false}, false, " omp_get_num_threads omp_get_max_threads sched_yield "},
    {{1, 0, false},
     false,
     " malloc free abs labs llabs srand srandom srand48 rand_r erand48 nrand48 time strlen puts putchar "},
    {{1, 0, false},
     false,
     " atoi atol atoll atof exit getenv fflush fclose fgetc getc feof ferror rewind tolower toupper close "},
    {{1, 0, false},
     false,
     " isdigit isalpha isalnum isspace isupper islower ispunct isxdigit strdup sleep usleep "},
    {{1, 0, false}, false, " pthread_mutex_lock pthread_mutex_unlock _Znwm _Znam _ZdlPv _ZdaPv "},
    {{2, 0, false},
     false,
     " calloc realloc aligned_alloc memalign strcmp strcpy strcat strchr strrchr strstr strpbrk strspn "},
    {{2, 0, false},
     false,
     " strcspn strtod strtof fputs fputc putc fopen gettimeofday clock_gettime strcasecmp strcoll stpcpy "},
    {{2, 0, false}, false, " strtok ungetc _ZdlPvm _ZdaPvm "},
    {{3, 0, false},
     false,
     " memcpy memmove memset memcmp memchr mempcpy strncmp strncpy strncat strncasecmp strtol strtoul "},
    {{3, 0, false},
     false,
     " strtoll strtoull fgets fseek posix_memalign read write bcopy __strcpy_chk __strcat_chk "},
    {{4, 0, false}, false, " fread fwrite qsort __memcpy_chk __memmove_chk __memset_chk pthread_create "},
    {{2, 0, false}, false, " vprintf vscanf "},
    {{3, 0, false}, false, " vfprintf vsprintf vfscanf vsscanf "},
    {{4, 0, false}, false, " vsnprintf strftime "},
    {{5, 0, false}, false, " bsearch __vsprintf_chk "},
    {{6, 0, false}, false, " __vsnprintf_chk "},
};

static const char handing_back[] = " memcpy memmove memset strcpy strcat strncpy strncat __memcpy_chk "
                                   "__memmove_chk __memset_chk __strcpy_chk __strcat_chk ";

static const char as_given[] =
    " printf fprintf sprintf snprintf dprintf __printf_chk __fprintf_chk __sprintf_chk "
    "__snprintf_chk scanf fscanf sscanf __isoc99_scanf __isoc99_fscanf "
    "__isoc99_sscanf ";

/* The name is `size` bytes of `name`. */
static bool is_among(const char *names, const char *name, size_t size)
{
    for (const char *at = names; *at && size;) {
        const char *end = strchr(at + 1, ' ');
        if (!end)
            return false;
        if ((size_t)(end - at - 1) == size && memcmp(at + 1, name, size) == 0)
            return true;
        at = end;
    }
    return false;
}

bool cc_call_type(const char *name, struct cc_call_type *ret)
{
    size_t size = strcspn(name, "@"); /* with a version behind it */
    for (size_t i = 0; i < CC_COUNT(shapes); i++) {
        const struct shape *s = &shapes[i];
        bool twin = s->real && size > 1 && name[size - 1] == 'f';
        if (is_among(s->names, name, size) || (twin && is_among(s->names, name, size - 1))) {
            *ret = s->type;
            ret->hands_back = is_among(handing_back, name, size);
            return true;
        }
    }
    *ret = (struct cc_call_type){.integers = 6, .floats = 8, .counted = is_among(as_given, name, size)};
    return ret->counted;
}
