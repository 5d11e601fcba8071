#include "run_file.h"
#include "../base/text.h"

#include <errno.h>

static void put_text(struct cc_buf *b, const char *name, const char *text)
{
    if (!text)
        return;
    cc_buf_printf(b, "%s=", name);
    for (const char *p = text; *p; p++) {
        if (*p == '\n')
            cc_buf_puts(b, "\\n");
        else if (*p == '\\')
            cc_buf_puts(b, "\\\\");
        else
            cc_buf_add(b, p, 1);
    }
    cc_buf_puts(b, "\n");
}

static void put_number(struct cc_buf *b, const char *name, uint64_t value)
{
    if (value)
        cc_buf_printf(b, "%s=%llu\n", name, (unsigned long long)value);
}

static void put_texts(struct cc_buf *b, const char *name, const struct cc_texts *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        put_text(b, name, texts->v[i]);
}

int cc_run_file_write(const char *path, const struct cc_options *o, struct cc_err *err)
{
    struct cc_buf b = {0};
#define CC_FLAG(name) put_number(&b, #name, o->name);
#define CC_NUMBER(name) put_number(&b, #name, o->name);
#define CC_CHOICE(name) put_number(&b, #name, (uint64_t)o->name);
#define CC_TEXT(name) put_text(&b, #name, o->name);
#define CC_TEXTS(name) put_texts(&b, #name, &o->name);
#include "../../collect/options.def"
    FILE *f = fopen(path, "we");
    bool whole = f && fwrite(b.s, 1, b.n, f) == b.n;
    whole = f && fclose(f) == 0 && whole;
    cc_buf_fini(&b);
    return whole ? 0 : cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(errno));
}
