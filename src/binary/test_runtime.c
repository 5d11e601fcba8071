/* Names of the run-time libraries and names that only sound like them; their code in a file. */
#include "runtime.h"
#include "../base/base.h"
#include "tap.h"

static void test_names(void)
{
    static const char *const library[] = {"malloc",
                                          "memcpy",
                                          "printf",
                                          "qsort",
                                          "pthread_create",
                                          "GOMP_parallel",
                                          "__libc_start_main",
                                          "_IO_file_write",
                                          "_ZNSt6vectorIiSaIiEE9push_backEOi",
                                          "_ZNKSs4sizeEv",
                                          "_ZSt4sortIPiEvT_S1_",
                                          "_ZN9__gnu_cxx6__stoaIiE",
                                          "_Znwm",
                                          "_ZdlPvm",
                                          "_ZThn16_NSdD0Ev"};
    static const char *const own[] = {"main",
                                      "memory_sum",
                                      "strange",
                                      "freeze",
                                      "read_int",
                                      "printf_all",
                                      "btree_insert",
                                      "load_gp",
                                      "mallocate",
                                      "memcp",
                                      "memcpyy",
                                      "_ZN4shop6basketC1Ev",
                                      "_Z4sortPi",
                                      "_Z2naPv",
                                      "_ZThn16_N4shop6basketD0Ev",
                                      ""};
    for (size_t i = 0; i < CC_COUNT(library); i++)
        OK(cc_runtime_name(library[i]), "'%s' is the library's", library[i]);
    for (size_t i = 0; i < CC_COUNT(own); i++)
        OK(!cc_runtime_name(own[i]), "'%s' is nobody's but the program's", own[i]);
}

static void test_list(void)
{
    static const char *const names[] = {
#include "runtime_names.def"
    };
    size_t sorted = 1;
    for (size_t i = 1; i < CC_COUNT(names); i++)
        sorted += strcmp(names[i - 1], names[i]) < 0;
    OK_U64(sorted, CC_COUNT(names), "the list of names is sorted");
}

static void test_files(void)
{
    struct cc_code_range *v = NULL;
    OK_U64(cc_runtime_code("/nowhere", &v), 0, "no file");
    free(v);
    OK_U64(cc_runtime_code("/dev/null", &v), 0, "an empty file");
    free(v);
    size_t n = cc_runtime_code("/proc/self/exe", &v), wrong = 0;
    for (size_t i = 0; i < n; i++)
        wrong += v[i].start >= v[i].end || (i && v[i].start < v[i - 1].end);
    OK(n > 0 && wrong == 0, "%zu ranges, sorted and apart", n);
    free(v);
}

int main(void)
{
    test_names();
    test_list();
    test_files();
    return TAP_DONE();
}
