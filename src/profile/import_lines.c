#include "import_lines.h"
#include "names.h"
#include "../base/file.h"

#include <sys/stat.h>

void cc_lines_import_init(struct cc_lines_import *x, struct cc_symbols *symbols)
{
    *x = (struct cc_lines_import){.lines = cc_lines_new(symbols)};
}

void cc_lines_import_fini(struct cc_lines_import *x)
{
    cc_lines_free(x->lines);
    CC_VEC_FINI(&x->block);
    CC_VEC_FINI(&x->found);
    cc_map_fini(&x->known);
    cc_strmap_fini(&x->files);
}

static bool covers(struct cc_lines_import *x, const struct cc_profile *p, uint32_t binary, uint64_t address)
{
    return cc_lines_covers(x->lines, p->binaries[binary].path, address - p->binaries[binary].bias);
}

uint32_t cc_lines_binary(struct cc_lines_import *x, const struct cc_profile *p, uint64_t address)
{
    if (x->last_binary < p->nbinaries && covers(x, p, x->last_binary, address))
        return x->last_binary;
    for (uint32_t i = (uint32_t)p->nbinaries; i-- > 0;)
        if (covers(x, p, i, address))
            return x->last_binary = i;
    return CC_NONE;
}

/* Code of nobody, a library's say, tells no function: its address tells the file. */
static uint32_t binary_of(struct cc_lines_import *x, const struct cc_rec_block *b, const struct cc_profile *p)
{
    uint32_t binary = b->function < p->nfunctions ? p->functions[b->function].binary : CC_NONE;
    return b->function != 0 && binary != CC_NONE ? binary : cc_lines_binary(x, p, b->address);
}

static uint32_t file_id(struct cc_lines_import *x, struct cc_profile *p, const struct cc_line_place *place)
{
    bool fresh;
    uint64_t *known = cc_map_put(&x->known, (uint64_t)(uintptr_t)place->file, &fresh);
    if (!fresh)
        return (uint32_t)(*known - 1);
    const char *folder = place->folder ? place->folder : "";
    CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%s\n%s", folder, place->file);
    uint64_t *id = cc_strmap_put(&x->files, key, &fresh);
    if (fresh) {
        struct cc_pfile f = {.path = cc_arena_strdup(&p->arena, place->file),
                             .folder = *folder ? cc_arena_strdup(&p->arena, folder) : NULL};
        CC_VEC_PUSH(&x->found, f);
        *id = x->found.n;
    }
    p->nfiles = x->found.n;
    *known = *id;
    return (uint32_t)(*id - 1);
}

/* The block's entry of this line. */
static struct cc_rec_line *entry(struct cc_lines_import *x, uint32_t block, uint32_t file, uint32_t line)
{
    for (size_t i = x->block.n; i-- > 0;)
        if (x->block.v[i].file == file && x->block.v[i].line == line)
            return &x->block.v[i];
    CC_VEC_PUSH(&x->block,
                (struct cc_rec_line){.block = block, .file = file, .line = line, .binary = CC_NONE});
    return &x->block.v[x->block.n - 1];
}

void cc_lines_take(struct cc_lines_import *x, const struct cc_rec_block *b, const void *insns,
                   struct cc_profile *p, struct cc_writer *out)
{
    const unsigned char *at = insns;
    uint32_t binary = binary_of(x, b, p);
    uint64_t address = b->address - (binary == CC_NONE ? 0 : p->binaries[binary].bias);
    x->block.n = 0;
    for (uint32_t i = 0; i < b->instructions; i++) {
        struct cc_rec_insn insn;
        struct cc_line_place place = {0};
        memcpy(&insn, at + i * sizeof insn, sizeof insn);
        if (binary != CC_NONE)
            place = cc_lines_find(x->lines, p->binaries[binary].path, address);
        struct cc_rec_line *e = entry(x, b->id, place.file ? file_id(x, p, &place) : CC_NONE, place.line);
        e->binary = place.file ? CC_NONE : binary;
        e->instructions++;
        e->read += insn.read;
        e->written += insn.written;
        e->conditional += insn.flags & CC_INSN_MAY_READ ? insn.read : 0;
        e->conditional += insn.flags & CC_INSN_MAY_WRITE ? insn.written : 0;
        address += insn.size;
    }
    p->nlines += x->block.n;
    cc_writer_items(out, CC_P_lines, x->block.v, x->block.n * sizeof *x->block.v);
}

static bool content_of(const char *path, uint64_t *ret)
{
    CC_CLEANUP(cc_free_ptr) char *bytes = NULL;
    struct stat st;
    size_t size = 0;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
        cc_file_read(path, CC_MAX_SOURCE, &bytes, &size, NULL) < 0)
        return false;
    *ret = cc_file_mark(bytes, size);
    return true;
}

void cc_lines_put(struct cc_lines_import *x, struct cc_profile *p, struct cc_writer *out)
{
    p->nfiles = x->found.n;
    for (size_t i = 0; i < x->found.n; i++) {
        struct cc_pfile *f = &x->found.v[i];
        CC_CLEANUP(cc_free_ptr) char *path = cc_names_file(f);
        f->has_content = content_of(path, &f->content);
        cc_writer_row(out, CC_P_file, f, i);
    }
}
