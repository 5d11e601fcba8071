/* make_tasks FILE N: a profile with N tasks of random length in the main loop of one function, as a recorder
 * would write it. */
#include "base/err.h"
#include "profile/tasks.h"

#include <inttypes.h>

int main(int argc, char **argv)
{
    uint64_t n, seed = 1, t = 100;
    if (argc != 3 || !cc_parse_u64(argv[2], &n))
        return fprintf(stderr, "usage: make_tasks FILE N\n"), 2;
    struct cc_err err = {0};
    struct cc_store *s = NULL;
    if (cc_store_create(argv[1], &s, &err) < 0)
        return cc_err_print(&err, stderr), 3;
    struct cc_tasks_writer *w = cc_tasks_writer_new(s, "cycles", 0, NULL, 0);
    int64_t outer = cc_tasks_name(w, "work", &err), inner = cc_tasks_name(w, "work.item", &err);
    int rc = cc_tasks_begin(w, 0, (uint32_t)outer, 0, NULL, &err);
    for (uint64_t i = 0; rc == 0 && i < n; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        rc = cc_tasks_begin(w, 0, (uint32_t)inner, t += 3 + (seed >> 62), NULL, &err);
        if (rc == 0)
            rc = cc_tasks_end(w, 0, (uint32_t)inner, t += 500 + (seed >> 40) % 1000, NULL, &err);
    }
    if (rc == 0)
        rc = cc_tasks_end(w, 0, (uint32_t)outer, t + 50, NULL, &err);
    if (rc == 0)
        rc = cc_tasks_finish(w, 0, t + 50, NULL, &err);
    cc_tasks_writer_free(w);
    if (rc == 0)
        rc = cc_store_commit(s, &err);
    if (rc < 0)
        return cc_err_print(&err, stderr), 3;
    return 0;
}
