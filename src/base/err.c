#include "err.h"
#include "text.h"

#include <stdarg.h>

static void fill(struct cc_err *err, enum cc_errc code, const char *file, unsigned line, const char *fmt,
                 va_list ap)
{
    if (!err || err->code != CC_OK)
        return;
    err->code = code;
    err->line = line;
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
}

int cc_err_set(struct cc_err *err, enum cc_errc code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, code, NULL, 0, fmt, ap);
    va_end(ap);
    return -(int)code;
}

int cc_err_at(struct cc_err *err, enum cc_errc code, const char *file, unsigned line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(err, code, file, line, fmt, ap);
    va_end(ap);
    return -(int)code;
}

void cc_err_hint(struct cc_err *err, const char *fmt, ...)
{
    if (!err || err->hint[0])
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err->hint, sizeof err->hint, fmt, ap);
    va_end(ap);
}

void cc_err_context(struct cc_err *err, const char *fmt, ...)
{
    if (!err)
        return;
    char context[512], joined[sizeof err->msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(context, sizeof context, fmt, ap);
    va_end(ap);
    snprintf(joined, sizeof joined, "%s: %.500s", context, err->msg);
    memcpy(err->msg, joined, sizeof joined);
}

void cc_err_print(const struct cc_err *err, FILE *out)
{
    fputs("corecast: ", out);
    if (err->file[0]) {
        cc_text_print_safe(out, err->file);
        if (err->line)
            fprintf(out, ":%u", err->line);
        fputs(": ", out);
    }
    cc_text_print_safe(out, err->msg);
    fputc('\n', out);
    if (err->hint[0]) {
        fputs("  hint: ", out);
        cc_text_print_safe(out, err->hint);
        fputc('\n', out);
    }
}
