#include "channels.h"
#include "../binary/symbols.h"
#include "../base/text.h"

/* The colon between the two names: the first that is not half of a "::". */
static const char *middle(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p != ':')
            continue;
        if (p[1] != ':')
            return p;
        p++;
    }
    return NULL;
}

static int add_addresses(struct cc_symbols *symbols, const char *path, const char *name, struct cc_buf *out,
                         struct cc_err *err)
{
    uint64_t *at = NULL;
    size_t n = 0;
    if (!path)
        return 0;
    int rc = cc_symbols_named(symbols, path, name, &at, &n, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        cc_buf_printf(out, "%s%llx", i ? "+" : "", (unsigned long long)at[i]);
    free(at);
    return rc;
}

int cc_channel_names_find(const char *const *texts, size_t n, const char *path, struct cc_channel_names *ret,
                          struct cc_err *err)
{
    *ret = (struct cc_channel_names){0};
    if (n > CC_MAX_CHANNELS)
        return cc_err_set(err, CC_EUSAGE, "at most %d channels can be watched in one run", CC_MAX_CHANNELS);
    struct cc_symbols *symbols = cc_symbols_new();
    struct cc_buf addresses = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        const char *colon = middle(texts[i]);
        if (!colon || colon == texts[i] || !colon[1]) {
            rc = cc_err_set(err, CC_EUSAGE, "option '--channel': '%s' is not PRODUCER:CONSUMER", texts[i]);
            break;
        }
        ret->from[i] = cc_strndup(texts[i], (size_t)(colon - texts[i]));
        ret->to[i] = cc_strdup(colon + 1);
        ret->n++;
        cc_buf_puts(&addresses, i ? "/" : "");
        rc = add_addresses(symbols, path, ret->from[i], &addresses, err);
        cc_buf_puts(&addresses, ":");
        if (rc == 0)
            rc = add_addresses(symbols, path, ret->to[i], &addresses, err);
    }
    cc_symbols_free(symbols);
    ret->addresses = addresses.s;
    if (rc < 0)
        cc_channel_names_fini(ret);
    return rc;
}

void cc_channel_names_fini(struct cc_channel_names *c)
{
    for (size_t i = 0; i < c->n; i++) {
        free(c->from[i]);
        free(c->to[i]);
    }
    free(c->addresses);
    *c = (struct cc_channel_names){0};
}
