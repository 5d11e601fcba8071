#include "vary.h"
#include "child.h"
#include "../base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A variable and its values; of `input`, with the sizes of the files. */
struct variable {
    const char *name;
    CC_VEC(const char *) values;
};

struct varying {
    const struct cc_vary_options *o;
    char *const *argv;
    size_t nargv;
    CC_VEC(struct variable) variables;
    bool inputs; /* the last variable is `input`, and a run also has input_bytes */
    struct cc_set *set;
    CC_VEC(size_t) todo; /* runs of the set */
    struct cc_arena arena;
};

/* --- what is to be varied --- */

static bool is_variable_name(const char *s, size_t n)
{
    return n && n < 64 && strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") >= n;
}

static int add_variable(struct varying *x, const char *text, struct cc_err *err)
{
    size_t n = strcspn(text, "=");
    if (text[n] != '=' || !is_variable_name(text, n) || !text[n + 1])
        return cc_err_set(err, CC_EUSAGE, "option '--vary': expected NAME=VALUE,VALUE… and got '%s'", text);
    struct variable v = {.name = cc_arena_strndup(&x->arena, text, n)};
    for (const char *s = text + n + 1;; s++) {
        size_t length = strcspn(s, ",");
        if (length == 0) {
            CC_VEC_FINI(&v.values);
            return cc_err_set(err, CC_EUSAGE, "option '--vary': '%s' has an empty value", text);
        }
        CC_VEC_PUSH(&v.values, cc_arena_strndup(&x->arena, s, length));
        s += length;
        if (!*s)
            break;
    }
    CC_VEC_PUSH(&x->variables, v);
    return 0;
}

static int add_inputs(struct varying *x, struct cc_err *err)
{
    struct variable v = {.name = "input"};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < x->o->ninputs; i++) {
        glob_t found;
        if (glob(x->o->inputs[i], 0, NULL, &found) != 0)
            rc = cc_err_set(err, CC_EINPUT, "option '--inputs': no file matches '%s'", x->o->inputs[i]);
        else
            for (size_t k = 0; k < found.gl_pathc; k++)
                CC_VEC_PUSH(&v.values, cc_arena_strdup(&x->arena, found.gl_pathv[k]));
        globfree(&found);
    }
    x->inputs = true;
    CC_VEC_PUSH(&x->variables, v);
    return rc;
}

static bool used(const struct varying *x, const char *name)
{
    CC_CLEANUP(cc_free_ptr) char *word = cc_asprintf("{%s}", name);
    for (size_t i = 0; i < x->nargv; i++)
        if (strstr(x->argv[i], word))
            return true;
    return false;
}

static int check(const struct varying *x, size_t *ret_runs, struct cc_err *err)
{
    *ret_runs = 1;
    for (size_t i = 0; i < x->variables.n; i++) {
        const struct variable *v = &x->variables.v[i];
        for (size_t k = 0; k < i; k++)
            if (strcmp(v->name, x->variables.v[k].name) == 0)
                return cc_err_set(err, CC_EUSAGE, "the variable '%s' is given twice", v->name);
        if (!used(x, v->name)) {
            int rc = cc_err_set(err, CC_EUSAGE, "the command does not use the variable '%s'", v->name);
            cc_err_hint(err, "write {%s} where its value is to stand", v->name);
            return rc;
        }
        if (v->values.n > CC_SET_MAX_RUNS / *ret_runs)
            return cc_err_set(err, CC_EUSAGE, "more than %d combinations", CC_SET_MAX_RUNS);
        *ret_runs *= v->values.n;
    }
    return 0;
}

/* --- the set --- */

/* The command as one line, to know it again. */
static const char *command_line(struct varying *x)
{
    struct cc_buf b = {0};
    for (size_t i = 0; i < x->nargv; i++) {
        CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(x->argv[i]);
        cc_buf_printf(&b, "%s%s", i ? " " : "", safe);
    }
    const char *line = cc_arena_strdup(&x->arena, b.s);
    cc_buf_fini(&b);
    return line;
}

static size_t nvariables(const struct varying *x)
{
    return x->variables.n + x->inputs;
}

/* The values of the i-th combination; the last variable turns fastest. */
static const char **values_of(struct varying *x, size_t i)
{
    const char **values = cc_arena_alloc(&x->set->arena, x->set->nvariables * sizeof *values);
    for (size_t k = nvariables(x); k < x->set->nvariables; k++)
        values[k] = ""; /* of columns that people added */
    for (size_t k = x->variables.n; k-- > 0;) {
        const struct variable *v = &x->variables.v[k];
        values[k] = cc_arena_strdup(&x->set->arena, v->values.v[i % v->values.n]);
        i /= v->values.n;
    }
    if (x->inputs) {
        struct stat st;
        char size[32];
        snprintf(size, sizeof size, "%lld",
                 stat(values[x->variables.n - 1], &st) == 0 ? (long long)st.st_size : -1LL);
        values[x->variables.n] = cc_arena_strdup(&x->set->arena, size);
    }
    return values;
}

static void name_variables(struct varying *x)
{
    struct cc_set *s = x->set;
    s->nvariables = nvariables(x);
    s->variables = cc_arena_alloc(&s->arena, s->nvariables * sizeof *s->variables);
    for (size_t i = 0; i < x->variables.n; i++)
        s->variables[i] = cc_arena_strdup(&s->arena, x->variables.v[i].name);
    if (x->inputs)
        s->variables[x->variables.n] = "input_bytes";
}

static bool same_variables(const struct varying *x)
{
    const struct cc_set *s = x->set;
    bool same = s->nvariables >= nvariables(x); /* people may have added some */
    for (size_t i = 0; same && i < x->variables.n; i++)
        same = strcmp(s->variables[i], x->variables.v[i].name) == 0;
    return same;
}

static int open_set(struct varying *x, struct cc_err *err)
{
    const char *folder = x->o->folder, *command = command_line(x);
    CC_CLEANUP(cc_free_ptr) char *manifest = cc_asprintf("%s/%s", folder, CC_SET_MANIFEST);
    if (mkdir(folder, 0777) < 0 && errno != EEXIST)
        return cc_err_at(err, CC_EINPUT, folder, 0, "cannot make the folder: %s", strerror(errno));
    if (access(manifest, F_OK) != 0) {
        x->set = cc_set_new(folder);
        x->set->command = cc_arena_strdup(&x->set->arena, command);
        name_variables(x);
        return 0;
    }
    int rc = cc_set_load(folder, &x->set, err);
    if (rc < 0)
        return rc;
    if (same_variables(x) && x->set->command && strcmp(x->set->command, command) == 0)
        return 0;
    rc = cc_err_at(err, CC_EINPUT, manifest, 0, "the set is of another command or other variables");
    cc_err_hint(err, "choose another folder with -o");
    return rc;
}

/* Combinations that are not there yet, or whose run failed, go on the list. */
static void plan(struct varying *x, size_t runs, struct cc_vary_result *ret)
{
    for (size_t i = 0; i < runs; i++) {
        const char **values = values_of(x, i);
        struct cc_set_run *r = cc_set_find(x->set, values, nvariables(x));
        CC_CLEANUP(cc_free_ptr) char *path = r ? cc_set_path(x->set, r) : NULL;
        if (r && *r->file && strcmp(r->status, CC_SET_OK) == 0 && access(path, F_OK) == 0) {
            ret->kept++;
            continue;
        }
        if (!r) {
            char file[32];
            snprintf(file, sizeof file, "run-%05zu.cast", x->set->runs.n + 1);
            CC_VEC_PUSH(&x->set->runs,
                        (struct cc_set_run){cc_arena_strdup(&x->set->arena, file), "", values});
            r = &x->set->runs.v[x->set->runs.n - 1];
        }
        CC_VEC_PUSH(&x->todo, (size_t)(r - x->set->runs.v));
    }
    ret->all = runs;
}

/* --- running --- */

struct job {
    struct varying *x;
    size_t run;
    char *output, *log;
    struct cc_child child;
};

/* A word with {NAME} replaced by values; other braces stay. */
static char *filled(const struct varying *x, const struct cc_set_run *r, const char *word)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (const char *s = word; *s;) {
        bool found = false;
        for (size_t i = 0; !found && i < x->set->nvariables; i++) {
            size_t n = strlen(x->set->variables[i]);
            found = s[0] == '{' && strncmp(s + 1, x->set->variables[i], n) == 0 && s[n + 1] == '}';
            if (found) {
                cc_buf_puts(&b, r->values[i]);
                s += n + 2;
            }
        }
        if (!found)
            cc_buf_add(&b, s++, 1);
    }
    return b.s;
}

/* In the child: what the program writes goes to a file beside its profile. */
static void record_one(void *data, FILE *out)
{
    struct job *job = data;
    struct varying *x = job->x;
    struct cc_words argv = {0};
    struct cc_err err = {0};
    int log = open(job->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (log >= 0)
        (void)(dup2(log, STDOUT_FILENO) + dup2(log, STDERR_FILENO));
    for (size_t i = 0; i < x->nargv; i++)
        cc_words_take(&argv, filled(x, &x->set->runs.v[job->run], x->argv[i]));
    int rc = x->o->record(x->o->data, job->output, argv.v, argv.n, &err);
    if (rc < 0)
        fprintf(out, "%s", err.msg);
    else if (rc > 128)
        fprintf(out, "signal %d", rc - 128);
    else if (rc > 0)
        fprintf(out, "exit %d", rc);
    else
        fputs(CC_SET_OK, out);
    cc_words_fini(&argv);
}

static int start(struct varying *x, struct job *job, struct cc_err *err)
{
    const struct cc_set_run *r = &x->set->runs.v[job->run];
    job->output = cc_set_path(x->set, r);
    job->log = cc_asprintf("%.*s.out", (int)(strlen(job->output) - strlen(".cast")), job->output);
    struct cc_child_request rq = {.work = record_one,
                                  .data = job,
                                  .in = CC_STREAM_NULL,
                                  .out = CC_STREAM_CAPTURED,
                                  .err = CC_STREAM_OURS,
                                  .max_out = 2048};
    return cc_child_start(&rq, &job->child, err);
}

static int finish(struct varying *x, struct job *job, struct cc_vary_result *ret, struct cc_err *err)
{
    struct cc_set_run *r = &x->set->runs.v[job->run];
    cc_child_wait(&job->child);
    const char *said = job->child.out.n ? job->child.out.s : "the recorder was killed";
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(said);
    r->status = cc_arena_strdup(&x->set->arena, safe);
    bool well = strcmp(said, CC_SET_OK) == 0;
    ret->recorded += well;
    ret->failed += !well;
    cc_child_fini(&job->child);
    free(job->output);
    free(job->log);
    int rc = cc_set_save(x->set, err);
    if (rc == 0 && x->o->ended)
        x->o->ended(x->o->data, x->set, r, ret->kept + ret->recorded + ret->failed, ret->all);
    return rc;
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* The first signal lets what runs come to its end and starts nothing more. */
static int run_all(struct varying *x, struct cc_vary_result *ret, struct cc_err *err)
{
    size_t next = 0, running = 0, slots = CC_MAX(1u, x->o->jobs);
    CC_CLEANUP(cc_free_ptr) struct job *jobs = cc_alloc_array(slots, sizeof *jobs);
    int rc = 0;
    cc_child_hold();
    for (;;) {
        ret->interrupted |= cc_child_held();
        bool more = rc == 0 && !ret->interrupted && next < x->todo.n;
        for (size_t i = 0; i < slots; i++) {
            if (jobs[i].x && cc_child_ended(&jobs[i].child)) {
                int done = finish(x, &jobs[i], ret, err);
                rc = rc < 0 ? rc : done;
                jobs[i].x = NULL;
                running--;
            } else if (!jobs[i].x && more && rc == 0) {
                jobs[i] = (struct job){.x = x, .run = x->todo.v[next]};
                rc = start(x, &jobs[i], err);
                next++;
                running += rc == 0;
                more = next < x->todo.n;
                if (rc < 0)
                    jobs[i].x = NULL;
            }
        }
        if (running == 0 && (!more || rc < 0))
            break;
        wait_a_little();
    }
    cc_child_release();
    return rc;
}

int cc_vary(const struct cc_vary_options *o, char *const *argv, size_t n, struct cc_vary_result *ret,
            struct cc_err *err)
{
    struct varying x = {.o = o, .argv = argv, .nargv = n};
    size_t runs = 0;
    int rc = 0;
    *ret = (struct cc_vary_result){0};
    for (size_t i = 0; rc == 0 && i < o->nvary; i++)
        rc = add_variable(&x, o->vary[i], err);
    if (rc == 0 && o->ninputs)
        rc = add_inputs(&x, err);
    if (rc == 0)
        rc = check(&x, &runs, err);
    if (rc == 0)
        rc = open_set(&x, err);
    if (rc == 0) {
        plan(&x, runs, ret);
        rc = cc_set_save(x.set, err);
    }
    if (rc == 0)
        rc = run_all(&x, ret, err);
    for (size_t i = 0; i < x.variables.n; i++)
        CC_VEC_FINI(&x.variables.v[i].values);
    CC_VEC_FINI(&x.variables);
    CC_VEC_FINI(&x.todo);
    cc_set_free(x.set);
    cc_arena_fini(&x.arena);
    return rc;
}
