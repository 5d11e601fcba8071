/* Several programs on one chip: who they are, and whose cores are whose. */
#include "programs.h"
#include "../../base/text.h"

/* "\--" is a program's own "--". */
static const char *plain(const char *word)
{
    return strcmp(word, "\\--") == 0 ? word + 1 : word;
}

static int split(const struct cc_strs *operands, struct cc_programs *ret, struct cc_err *err)
{
    ret->words = cc_alloc_array(operands->n + 1, sizeof *ret->words);
    ret->n = 1;
    ret->v[0].argv = ret->words;
    for (size_t i = 0; i < operands->n; i++) {
        struct cc_simulate_program *p = &ret->v[ret->n - 1];
        if (strcmp(operands->v[i], "--") != 0) {
            ret->words[i] = plain(operands->v[i]);
            p->argc++;
            continue;
        }
        if (!p->argc || i + 1 == operands->n)
            return cc_err_set(err, CC_EUSAGE, "a program is missing beside '--'");
        if (ret->n == CC_SIM_PROGRAMS)
            return cc_err_set(err, CC_EUSAGE, "more than %d programs", CC_SIM_PROGRAMS);
        ret->v[ret->n++].argv = ret->words + i + 1;
    }
    return 0;
}

/* "3" or "0-3". */
static int read_range(const char *text, const char *all, unsigned cores, uint64_t *from, uint64_t *to,
                      struct cc_err *err)
{
    const char *dash = strchr(text, '-');
    CC_CLEANUP(cc_free_ptr) char *first = dash ? cc_strndup(text, (size_t)(dash - text)) : cc_strdup(text);
    if (!cc_parse_u64(first, from) || (dash && !cc_parse_u64(dash + 1, to)))
        return cc_err_set(err, CC_EUSAGE, "option '--bind': '%s' is no list of cores (like 0-3,8)", all);
    *to = dash ? *to : *from;
    if (*from > *to || *to >= cores)
        return cc_err_set(err, CC_EUSAGE, "option '--bind': '%s' is not within the cores 0 to %u", text,
                          cores - 1);
    return 0;
}

static int bind_one(const char *list, unsigned cores, bool *taken, struct cc_simulate_program *p,
                    struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(list);
    char *rest = copy, *word;
    while ((word = strsep(&rest, ","))) {
        uint64_t from, to;
        int rc = read_range(word, list, cores, &from, &to, err);
        if (rc < 0)
            return rc;
        for (; from <= to; from++) {
            if (taken[from])
                return cc_err_set(err, CC_EUSAGE, "option '--bind': core %llu comes twice",
                                  (unsigned long long)from);
            taken[from] = true;
            p->core[p->cores++] = (uint16_t)from;
        }
    }
    return 0;
}

static void deal_out(struct cc_programs *ret, unsigned cores)
{
    for (unsigned i = 0; i < cores; i++) {
        struct cc_simulate_program *p = &ret->v[(uint64_t)i * ret->n / cores];
        p->core[p->cores++] = (uint16_t)i;
    }
}

int cc_programs_read(const struct cc_strs *operands, const struct cc_strs *bind, unsigned cores,
                     struct cc_programs *ret, struct cc_err *err)
{
    bool taken[CC_SIM_MAX_CORES] = {false};
    int rc = split(operands, ret, err);
    if (rc == 0 && ret->n > cores)
        rc = cc_err_set(err, CC_EUSAGE, "%zu programs on %u cores", ret->n, cores);
    if (rc == 0 && bind->n && bind->n != ret->n)
        rc = cc_err_set(err, CC_EUSAGE, "'--bind' is given %zu times for %zu program%s", bind->n, ret->n,
                        ret->n == 1 ? "" : "s");
    for (size_t i = 0; rc == 0 && i < bind->n; i++)
        rc = bind_one(bind->v[i], cores, taken, &ret->v[i], err);
    if (rc == 0 && !bind->n)
        deal_out(ret, cores);
    return rc;
}

void cc_programs_fini(struct cc_programs *p)
{
    free(p->words);
}
