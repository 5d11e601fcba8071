#include "import_lines.h"

#include <sys/stat.h>

void cc_lines_import_init(struct cc_lines_import *x, struct cc_symbols *symbols)
{
    *x = (struct cc_lines_import){.lines = cc_lines_new(symbols)};
}

void cc_lines_import_fini(struct cc_lines_import *x)
{
    cc_lines_free(x->lines);
    CC_VEC_FINI(&x->bias);
    CC_VEC_FINI(&x->block);
    CC_VEC_FINI(&x->paths);
    cc_map_fini(&x->known);
    cc_strmap_fini(&x->files);
}

static bool covers(struct cc_lines_import *x, const struct cc_profile *p, uint32_t binary, uint64_t address)
{
    return cc_lines_covers(x->lines, p->binaries[binary].path, address - x->bias.v[binary]);
}

/* Code of nobody, a library's say, tells no function: its address tells the file. Of files that were loaded
 * at one address, one after the other, the last is taken. CC_NONE: none. */
static uint32_t binary_of(struct cc_lines_import *x, const struct cc_rec_block *b, const struct cc_profile *p)
{
    uint32_t binary = b->function < p->nfunctions ? p->functions[b->function].binary : CC_NONE;
    if (b->function != 0 && binary != CC_NONE)
        return binary;
    if (x->last_binary < p->nbinaries && covers(x, p, x->last_binary, b->address))
        return x->last_binary;
    for (uint32_t i = (uint32_t)p->nbinaries; i-- > 0;)
        if (covers(x, p, i, b->address))
            return x->last_binary = i;
    return CC_NONE;
}

static uint32_t file_id(struct cc_lines_import *x, struct cc_profile *p, const char *file)
{
    bool fresh;
    uint64_t *known = cc_map_put(&x->known, (uint64_t)(uintptr_t)file, &fresh);
    if (!fresh)
        return (uint32_t)(*known - 1);
    uint64_t *id = cc_strmap_put(&x->files, file, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&x->paths, cc_arena_strdup(&p->arena, file));
        *id = x->paths.n;
    }
    p->nfiles = x->paths.n;
    *known = *id;
    return (uint32_t)(*id - 1);
}

/* The block's entry of this line. */
static struct cc_rec_line *entry(struct cc_lines_import *x, uint32_t block, uint32_t file, uint32_t line)
{
    for (size_t i = x->block.n; i-- > 0;)
        if (x->block.v[i].file == file && x->block.v[i].line == line)
            return &x->block.v[i];
    CC_VEC_PUSH(&x->block, (struct cc_rec_line){.block = block, .file = file, .line = line});
    return &x->block.v[x->block.n - 1];
}

void cc_lines_take(struct cc_lines_import *x, const struct cc_rec_block *b, const void *insns,
                   struct cc_profile *p, struct cc_writer *out)
{
    const unsigned char *at = insns;
    uint32_t binary = binary_of(x, b, p);
    uint64_t address = b->address - (binary == CC_NONE ? 0 : x->bias.v[binary]);
    x->block.n = 0;
    for (uint32_t i = 0; i < b->instructions; i++) {
        struct cc_rec_insn insn;
        const char *file = NULL;
        unsigned line = 0;
        memcpy(&insn, at + i * sizeof insn, sizeof insn);
        if (binary != CC_NONE)
            cc_lines_find(x->lines, p->binaries[binary].path, address, &file, &line);
        struct cc_rec_line *e = entry(x, b->id, file ? file_id(x, p, file) : CC_NONE, line);
        e->instructions++;
        e->read += insn.read;
        e->written += insn.written;
        if (insn.flags & CC_INSN_CONDITIONAL)
            e->conditional += (uint32_t)insn.read + insn.written;
        address += insn.size;
    }
    p->nlines += x->block.n;
    cc_writer_items(out, CC_P_lines, x->block.v, x->block.n * sizeof *x->block.v);
}

void cc_lines_put(struct cc_lines_import *x, struct cc_profile *p, struct cc_writer *out)
{
    p->nfiles = x->paths.n;
    for (size_t i = 0; i < x->paths.n; i++) {
        struct stat st;
        bool there = stat(x->paths.v[i], &st) == 0 && st.st_mtime >= 0;
        struct cc_pfile f = {
            .path = x->paths.v[i], .changed = there ? (uint64_t)st.st_mtime : 0, .has_changed = there};
        cc_writer_row(out, CC_P_file, &f, i);
    }
}
