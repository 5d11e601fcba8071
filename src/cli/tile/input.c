#include "input.h"

#include <math.h>

const char *const cc_tile_setting_names[CC_TILE_SETTINGS] = {
    "image", "kernel", "time",     "cores",      "memory", "pixel",     "planes",   "align",   "aspect",
    "min",   "max",    "overhead", "assignment", "writes", "transfers", "clusters", "buffers",
};

struct value {
    const char *name, *text;
    const char *file; /* NULL: from the command line */
    unsigned line;
};

/* The option if given, else the file's key; text is NULL when neither is there. */
static struct value find(const struct cc_tile_input *in, enum cc_tile_setting s)
{
    struct value v = {cc_tile_setting_names[s], in->text[s], NULL, 0};
    const struct cc_ini_section *section = in->file ? cc_ini_section(in->file, "tile") : NULL;
    const struct cc_ini_key *key = section && !v.text ? cc_ini_key(section, v.name) : NULL;
    if (key) {
        v.text = key->value;
        v.file = in->file->path;
        v.line = key->line;
    }
    return v;
}

static int bad(const struct value *v, const char *want, struct cc_err *err)
{
    if (v->file)
        return cc_err_at(err, CC_EINPUT, v->file, v->line, "'%s' must be %s, not '%.80s'", v->name, want,
                         v->text);
    return cc_err_set(err, CC_EUSAGE, "option '--%s': must be %s, not '%.80s'", v->name, want, v->text);
}

/* "A<sep>B"; with `one_ok`, "A" alone sets both. */
static bool parse_pair(const char *text, char sep, bool one_ok, int64_t *a, int64_t *b)
{
    const char *at = strchr(text, sep);
    if (!at)
        return one_ok && cc_parse_i64(text, a) && ((*b = *a), true);
    CC_CLEANUP(cc_free_ptr) char *head = cc_strndup(text, (size_t)(at - text));
    return cc_parse_i64(head, a) && cc_parse_i64(at + 1, b);
}

/* A setting of two numbers from 1 up. */
struct pair {
    enum cc_tile_setting setting;
    char sep;
    bool one_ok;
    const char *want; /* as messages say it */
    int64_t *a, *b;
};

static int read_pair(const struct cc_tile_input *in, const struct pair *p, struct cc_err *err)
{
    struct value v = find(in, p->setting);
    if (!v.text)
        return 0;
    if (!parse_pair(v.text, p->sep, p->one_ok, p->a, p->b) || *p->a < 1 || *p->b < 1 ||
        *p->a > CC_TILE_MAX_SIDE || *p->b > CC_TILE_MAX_SIDE)
        return bad(&v, p->want, err);
    return 0;
}

static int read_int(const struct cc_tile_input *in, enum cc_tile_setting s, int64_t lo, int64_t hi,
                    const char *want, int64_t *ret, struct cc_err *err)
{
    struct value v = find(in, s);
    if (!v.text)
        return 0;
    if (!cc_parse_i64(v.text, ret) || *ret < lo || *ret > hi)
        return bad(&v, want, err);
    return 0;
}

/* "157" or "157 ± 20" (also "+-"). */
static int read_time(const struct cc_tile_input *in, double *ret, double *ret_spread, struct cc_err *err)
{
    struct value v = find(in, CC_TILE_TIME);
    if (!v.text)
        return cc_err_set(err, CC_EUSAGE, "give --time, the cycles for each output pixel");
    const char *mark = strstr(v.text, "±");
    size_t mark_length = mark ? strlen("±") : 2;
    if (!mark)
        mark = strstr(v.text, "+-");
    CC_CLEANUP(cc_free_ptr) char *head = cc_strndup(v.text, mark ? (size_t)(mark - v.text) : strlen(v.text));
    for (size_t n = strlen(head); n && head[n - 1] == ' ';)
        head[--n] = 0;
    const char *tail = mark ? mark + mark_length : NULL;
    while (tail && *tail == ' ')
        tail++;
    *ret_spread = 0;
    if (!cc_parse_f64(head, ret) || (tail && !cc_parse_f64(tail, ret_spread)) || *ret < 0 || *ret > 1e12 ||
        *ret_spread < 0 || *ret_spread > *ret)
        return bad(&v, "cycles per pixel, 'T' or 'T ± SPREAD' with 0 <= SPREAD <= T", err);
    return 0;
}

static int read_memory(const struct cc_tile_input *in, const struct cc_platform *platform, double *ret,
                       struct cc_err *err)
{
    struct value v = find(in, CC_TILE_MEMORY);
    uint64_t bytes;
    if (v.text) {
        if (!cc_parse_u64(v.text, &bytes) || bytes == 0)
            return bad(&v, "bytes (k, M, G allowed)", err);
        *ret = (double)bytes;
        return 0;
    }
    *ret = cc_tile_platform_memory(platform);
    if (isnan(*ret))
        return cc_err_set(err, CC_EUSAGE,
                          "give --memory: the platform has no 'size' in [memory.local] or [memory.l1]");
    return 0;
}

static int read_choice(const struct cc_tile_input *in, enum cc_tile_setting s, const char *no,
                       const char *yes, bool *ret, struct cc_err *err)
{
    struct value v = find(in, s);
    if (!v.text)
        return 0;
    char want[64];
    snprintf(want, sizeof want, "'%s' or '%s'", no, yes);
    if (strcmp(v.text, yes) != 0 && strcmp(v.text, no) != 0)
        return bad(&v, want, err);
    *ret = strcmp(v.text, yes) == 0;
    return 0;
}

/* Clusters share the rows out; the first has the most and is the problem that is solved. */
static int read_clusters(const struct cc_tile_input *in, const struct cc_platform *platform,
                         struct cc_tile_problem *p, struct cc_err *err)
{
    int64_t n = (int64_t)cc_platform_num_or(platform, NULL, CC_NUM_PLATFORM_CLUSTERS, 1);
    int rc = read_int(in, CC_TILE_CLUSTERS, 1, 1024, "a number of clusters, 1 to 1024", &n, err);
    int64_t rows = p->image_h - p->kernel_h + 1;
    p->clusters = n;
    if (rc == 0 && rows >= 1 && n > 1)
        p->image_h = (rows + n - 1) / n + p->kernel_h - 1;
    return rc;
}

/* "OPEN:SCHED:CLOSE" in cycles, or "none"; the platform's costs otherwise. */
static int read_overhead(const struct cc_tile_input *in, const struct cc_platform *platform,
                         struct cc_tile_problem *p, struct cc_err *err)
{
    struct value v = find(in, CC_TILE_OVERHEAD);
    if (!v.text)
        return cc_tile_platform_overheads(platform, p, err);
    if (strcmp(v.text, "none") == 0)
        return 0;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(v.text);
    double *out[] = {&p->op_open, &p->op_sched, &p->op_close};
    size_t n = 0;
    char *save = NULL;
    for (char *word = strtok_r(copy, ":", &save); word; word = strtok_r(NULL, ":", &save)) {
        if (n == 3 || !cc_parse_f64(word, out[n]) || *out[n] < 0 || *out[n] > 1e12)
            return bad(&v, "'none' or OPEN:SCHED:CLOSE in cycles", err);
        n++;
    }
    return n == 3 ? 0 : bad(&v, "'none' or OPEN:SCHED:CLOSE in cycles", err);
}

static int check_file(const struct cc_ini *file, struct cc_err *err)
{
    for (size_t s = 0; s < file->nsections; s++) {
        const struct cc_ini_section *section = &file->sections[s];
        if (strcmp(section->name, "tile") != 0)
            return cc_err_at(err, CC_EINPUT, file->path, section->line, "unknown section '%.80s'",
                             section->name);
        for (size_t k = 0; k < section->nkeys; k++) {
            const char *name = section->keys[k].name;
            size_t i = 0;
            while (i < CC_TILE_SETTINGS && strcmp(cc_tile_setting_names[i], name) != 0)
                i++;
            if (i < CC_TILE_SETTINGS)
                continue;
            int rc =
                cc_err_at(err, CC_EINPUT, file->path, section->keys[k].line, "unknown key '%.80s'", name);
            const char *near = cc_nearest(name, cc_tile_setting_names, CC_TILE_SETTINGS);
            if (near)
                cc_err_hint(err, "did you mean '%s'?", near);
            return rc;
        }
    }
    return cc_ini_section(file, "tile") ? 0 : cc_err_at(err, CC_EINPUT, file->path, 0, "no [tile] section");
}

static int read_shape(const struct cc_tile_input *in, struct cc_tile_problem *p, struct cc_err *err)
{
    const struct pair pairs[] = {
        {CC_TILE_IMAGE, 'x', false, "WxH in pixels", &p->image_w, &p->image_h},
        {CC_TILE_KERNEL, 'x', true, "WxH in pixels", &p->kernel_w, &p->kernel_h},
        {CC_TILE_PIXEL, ':', true, "IN[:OUT] in bytes", &p->in_bytes, &p->out_bytes},
        {CC_TILE_ASPECT, ':', false, "A:B", &p->aspect_x, &p->aspect_y},
        {CC_TILE_MIN, 'x', true, "WxH in pixels", &p->min_x, &p->min_y},
        {CC_TILE_MAX, 'x', true, "WxH in pixels", &p->max_x, &p->max_y},
    };
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(pairs); i++)
        rc = read_pair(in, &pairs[i], err);
    if (rc == 0)
        rc = read_int(in, CC_TILE_PLANES, 1, 64, "a number of planes, 1 to 64", &p->planes, err);
    if (rc == 0)
        rc = read_int(in, CC_TILE_ALIGN, 1, 1 << 20, "a number of bytes", &p->align, err);
    if (rc == 0 && !p->image_w)
        rc = cc_err_set(err, CC_EUSAGE, "give --image WxH");
    if (rc == 0 && !p->kernel_w)
        rc = cc_err_set(err, CC_EUSAGE, "give --kernel WxH, the pixels one output pixel needs");
    return rc;
}

int cc_tile_input_read(const struct cc_tile_input *in, const struct cc_platform *platform,
                       const struct cc_dma *dma, struct cc_tile_problem *ret, double *ret_spread,
                       struct cc_err *err)
{
    *ret = (struct cc_tile_problem){.in_bytes = 1, .out_bytes = 1, .planes = 1, .dma = dma};
    ret->cores = (int64_t)cc_platform_num_or(platform, NULL, CC_NUM_PLATFORM_CORES, 1);
    int64_t buffers = in->double_buffer ? 2 : 1;
    int rc = in->file ? check_file(in->file, err) : 0;
    if (rc == 0)
        rc = read_shape(in, ret, err);
    if (rc == 0)
        rc = read_time(in, &ret->kernel_time, ret_spread, err);
    if (rc == 0)
        rc = read_int(in, CC_TILE_CORES, 1, CC_TILE_MAX_CORES, "a number of cores, 1 to 1024", &ret->cores,
                      err);
    if (rc == 0)
        rc = read_clusters(in, platform, ret, err);
    bool team = false;
    if (rc == 0)
        rc = read_choice(in, CC_TILE_TRANSFERS, "individual", "collaborative", &team, err);
    cc_tile_processors(ret, ret->cores, team);
    if (rc == 0)
        rc = read_memory(in, platform, &ret->memory, err);
    if (rc == 0)
        rc = read_choice(in, CC_TILE_ASSIGNMENT, "static", "dynamic", &ret->dynamic, err);
    if (rc == 0)
        rc = read_choice(in, CC_TILE_WRITES, "free", "blocking", &ret->blocking_writes, err);
    if (rc == 0 && !in->double_buffer)
        rc = read_int(in, CC_TILE_BUFFERS, 1, 2, "1 or 2", &buffers, err);
    ret->double_buffer = buffers == 2;
    if (rc == 0)
        rc = read_overhead(in, platform, ret, err);
    return rc;
}
