/* Items with context: the program's frames on a call path, and the loops they are in. */
#include "watch.h"
#include "../../base/text.h"

enum { FAR = 512 };

size_t contention_path(struct sites *x, uint64_t pc, uint32_t context, struct cc_frame *out, size_t most)
{
    size_t n = 0;
    for (unsigned depth = 0; depth < FAR && n < most; depth++) {
        const struct cc_trace_context *c = cc_trace_context(x->trace, context);
        n += contention_in_program(x, pc, &out[n]);
        if (!c || !c->parent)
            break;
        pc = c->site;
        context = c->parent;
    }
    return n;
}

const char *contention_path_name(struct sites *x, const struct cc_frame *path, size_t n)
{
    struct cc_buf b = {0};
    for (size_t i = n; i-- > 0;)
        cc_buf_printf(&b, "%s%s", path[i].function, i ? " > " : "");
    const char *name = b.n ? cc_arena_strdup(x->arena, b.s) : NULL;
    cc_buf_fini(&b);
    return name;
}

struct cc_frame contention_loop_of(const struct cc_frame *path, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (path[i].loop) {
            struct cc_frame f = path[i];
            f.file = f.loop_file;
            f.line = f.loop;
            return f;
        }
    return n ? path[0] : (struct cc_frame){0};
}
