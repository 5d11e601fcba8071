#include "page_whatif.h"
#include "page_bundle.h"
#include "../../analysis/htg/pack.h"
#include "../../base/file.h"
#include "../../base/where.h"
#include "../../platform/platform.h"

enum {
    MAX_NODES = 20000,      /* a change is to be seen within a tenth of a second */
    MAX_FILE = 1 << 20,     /* of a platform: a curve or a grid may be large */
    MAX_SCENARIO = 1 << 16, /* it is shown, and edited */
};

/* Three bytes become four letters; the last ones are filled up with '='. */
static char *base64(const char *bytes, size_t n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *out = cc_alloc((n + 2) / 3 * 4 + 1), *to = out;
    for (size_t i = 0; i < n; i += 3) {
        uint32_t v = 0;
        for (size_t k = 0; k < 3; k++)
            v = v << 8 | (i + k < n ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *to++ = i + k > n ? '=' : letters[v >> (18 - 6 * k) & 63];
    }
    return out;
}

static int put_graph(struct cc_json *j, const char *profile, struct cc_err *err)
{
    struct cc_htg *h;
    struct cc_htg_options how = {.any_thread = true, .partial = true, .plain = true};
    int rc = cc_htg_load(profile, &how, &h, err);
    if (rc < 0)
        return rc;
    struct cc_buf bytes = {0};
    unsigned depth = cc_htg_pack(h, MAX_NODES, &bytes);
    CC_CLEANUP(cc_free_ptr) char *text = base64(bytes.s, bytes.n);
    cc_json_str(j, "graph", text);
    cc_json_u64(j, "depth", depth);
    cc_json_u64(j, "tasks", h->tasks);
    cc_json_bool(j, "incomplete", h->incomplete != NULL);
    cc_json_str(j, "clock", h->clock);
    cc_json_arr(j, "counters");
    for (size_t i = 0; i < h->ncounters; i++)
        cc_json_str(j, NULL, h->counters[i]);
    cc_json_end(j);
    cc_buf_fini(&bytes);
    cc_htg_free(h);
    return 0;
}

/* What a file is called on the page: those that ship with the tool are "own/NAME", wherever they lie. */
static char *name_on_page(const char *path)
{
    CC_CLEANUP(cc_free_ptr) char *own = cc_where(CC_OWN_PLATFORM, ".");
    size_t n = own ? strlen(own) - 1 : 0; /* without the dot */
    if (n && strncmp(path, own, n) == 0)
        return cc_asprintf("own/%s", path + n);
    return cc_strdup(path);
}

static int put_file(struct cc_json *j, const char *path, size_t max, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    CC_CLEANUP(cc_free_ptr) char *name = name_on_page(path);
    size_t n;
    int rc = cc_file_read(path, max, &text, &n, err);
    if (rc < 0)
        return rc;
    cc_json_obj(j, NULL);
    cc_json_str(j, "name", name);
    cc_json_str(j, "text", text);
    cc_json_end(j);
    return 0;
}

static int put_files(struct cc_json *j, const char *key, const char *const *paths, size_t n, size_t max,
                     struct cc_err *err)
{
    int rc = 0;
    cc_json_arr(j, key);
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = put_file(j, paths[i], max, err);
    cc_json_end(j);
    return rc;
}

static void put_memories(struct cc_json *j, const struct cc_platform *p)
{
    const char *const *memories;
    size_t n = cc_platform_list(p, "memory", &memories);
    cc_json_str(j, "data_memory", cc_platform_str_or(p, NULL, CC_STR_PLATFORM_DATA_MEMORY, NULL));
    cc_json_arr(j, "memories");
    for (size_t i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("memory.%s", memories[i]);
        cc_json_obj(j, NULL);
        cc_json_str(j, "name", memories[i]);
        cc_json_num(j, "read", cc_platform_num_or(p, section, CC_NUM_MEMORY_READ, 0));
        cc_json_end(j);
    }
    cc_json_end(j);
}

static int put_platform(struct cc_json *j, const struct cc_platform *p, struct cc_err *err)
{
    const char *const *files;
    CC_CLEANUP(cc_free_ptr) char *name = name_on_page(cc_platform_path(p));
    cc_json_str(j, "platform", name);
    cc_json_u64(j, "cores",
                (uint64_t)(cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1) *
                           cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLUSTERS, 1)));
    cc_json_num(j, "cpi", cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CPI, 1));
    put_memories(j, p);
    cc_json_obj(j, "dma");
    if (cc_platform_has(p, "dma")) {
        cc_json_num(j, "i0", cc_platform_num_or(p, NULL, CC_NUM_DMA_I0, 0));
        cc_json_num(j, "alpha", cc_platform_num_or(p, NULL, CC_NUM_DMA_ALPHA, 0));
    }
    cc_json_end(j);
    size_t n = cc_platform_files(p, &files);
    return put_files(j, "files", files, n, MAX_FILE, err);
}

static int put_all(struct cc_json *j, const struct cc_page_request *rq, const char *profile,
                   const struct cc_platform *p, struct cc_err *err)
{
    int rc = put_graph(j, profile, err);
    if (rc == 0)
        rc = put_platform(j, p, err);
    if (rc == 0)
        rc = put_files(j, "scenarios", rq->scenarios->v, rq->scenarios->n, MAX_SCENARIO, err);
    return rc;
}

bool cc_page_whatif(struct cc_json *j, const struct cc_page_request *rq, const char *profile)
{
    struct cc_err e = {0};
    struct cc_platform *p = NULL;
    int rc = 0;
    cc_json_obj(j, "whatif");
    if (cc_page_engine_missing[0])
        rc = cc_err_set(&e, CC_EUSAGE, "this corecast was built without it: %s", cc_page_engine_missing);
    else if (!rq->platform)
        rc = cc_err_set(&e, CC_EUSAGE, "no platform was given");
    if (rc == 0)
        rc = cc_platform_load(rq->platform, &p, &e);
    if (rc == 0)
        rc = put_all(j, rq, profile, p, &e);
    if (rc < 0) {
        cc_json_str(j, "missing", e.msg);
        cc_json_str(j, "hint", e.hint);
    }
    cc_json_end(j);
    cc_platform_free(p);
    return rc == 0;
}
