/* What the functions of the C library mean for a circuit, by name. */
#include "lower.h"
#include "measure.h"

#define NAMES(list) " " list " "

/* Each list is words between single blanks, so that a look-up is one search for " name ". */
static const char allocation[] =
    NAMES("malloc calloc realloc reallocarray free aligned_alloc posix_memalign memalign valloc alloca "
          "strdup strndup mmap "
          "munmap mremap brk sbrk asprintf vasprintf getline getdelim open_memstream");
static const char input_output[] =
    NAMES("printf fprintf dprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf puts putchar putc "
          "fputc fputs fwrite "
          "scanf fscanf sscanf vscanf getchar getc fgetc fgets gets fread ungetc fopen fdopen freopen fclose "
          "fflush fseek "
          "ftell rewind fsetpos fgetpos feof ferror clearerr perror remove rename tmpfile setvbuf setbuf "
          "popen pclose read "
          "write pread pwrite readv writev open openat creat close lseek ioctl fcntl poll select epoll_wait "
          "socket bind "
          "listen accept connect send sendto sendmsg recv recvfrom recvmsg stat fstat lstat opendir readdir "
          "closedir mkdir "
          "rmdir unlink access dup dup2 pipe putchar_unlocked getchar_unlocked");
static const char operating_system[] =
    NAMES("exit _exit _Exit quick_exit atexit abort __assert_fail fork vfork execl execlp execle execv "
          "execvp execve wait "
          "waitpid kill raise signal sigaction sleep usleep nanosleep time clock gettimeofday clock_gettime "
          "localtime gmtime "
          "mktime strftime getenv setenv putenv system getpid pthread_create pthread_join pthread_mutex_lock "
          "pthread_mutex_unlock pthread_cond_wait pthread_cond_signal pthread_barrier_wait thrd_create "
          "thrd_join mtx_lock "
          "mtx_unlock sem_wait sem_post sched_yield syscall dlopen dlsym errno __errno_location");
static const char jumps[] = NAMES("setjmp _setjmp __sigsetjmp sigsetjmp longjmp _longjmp siglongjmp");
static const char varargs[] = NAMES("va_start va_copy va_end");
static const char known[] = NAMES("memcpy memmove memset memcmp abs labs llabs");
/* By what they cost as a circuit, each with the metric that counts them. */
static const struct {
    enum cc_metric metric;
    const char *list;
} math[] = {
    {CC_M_math_root, NAMES("sqrt cbrt hypot")},
    {CC_M_math_exp, NAMES("exp exp2 expm1 ldexp scalbn scalbln")},
    {CC_M_math_log, NAMES("log log10 log1p log2 logb ilogb")},
    {CC_M_math_pow, NAMES("pow")},
    {CC_M_math_trig, NAMES("sin cos tan sincos asin acos atan atan2")},
    {CC_M_math_hyperbolic, NAMES("sinh cosh tanh asinh acosh atanh")},
    {CC_M_math_minmax, NAMES("fmin fmax fdim fabs copysign")},
    {CC_M_math_round, NAMES("ceil floor trunc round rint nearbyint lrint llrint lround llround modf")},
    {CC_M_math_other,
     NAMES("erf erfc fma fmod frexp lgamma tgamma nan nextafter nexttoward remainder remquo")},
};

static bool listed(const char *list, const char *name, size_t n)
{
    char word[40] = " ";
    if (n == 0 || n + 3 > sizeof word)
        return false;
    memcpy(word + 1, name, n);
    word[n + 1] = ' ';
    word[n + 2] = 0;
    return strstr(list, word) != NULL;
}

/* __builtin_printf is printf; sqrt of tgmath.h is __tg_sqrt. */
static const char *plain(const char *name)
{
    if (strncmp(name, "__tg_", 5) == 0)
        return name + 5;
    return strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name;
}

enum cc_metric cc_math_kind(const char *name)
{
    name = plain(name);
    size_t n = strlen(name);
    bool suffix = n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l');
    for (size_t i = 0; i < CC_COUNT(math); i++)
        if (listed(math[i].list, name, n) || (suffix && listed(math[i].list, name, n - 1)))
            return math[i].metric;
    return CC_METRIC_COUNT;
}

bool cc_is_math(const char *name)
{
    return cc_math_kind(name) != CC_METRIC_COUNT;
}

bool cc_library_known(const char *name)
{
    return cc_is_math(name) || strncmp(name, "__builtin_", 10) == 0 || listed(known, name, strlen(name));
}

enum cc_unfit cc_library_unfit(const char *name)
{
    static const struct {
        const char *list;
        enum cc_unfit kind;
    } table[] = {
        {allocation, CC_UNFIT_ALLOCATION},   {input_output, CC_UNFIT_IO},
        {operating_system, CC_UNFIT_SYSTEM}, {jumps, CC_UNFIT_JUMP},
        {varargs, CC_UNFIT_VARARGS},
    };
    name = plain(name);
    for (size_t i = 0; i < CC_COUNT(table); i++)
        if (listed(table[i].list, name, strlen(name)))
            return table[i].kind;
    return CC_UNFIT_COUNT;
}
