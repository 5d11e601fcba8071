#include "called.h"

enum { HIDDEN = 0x8000 }; /* in .gnu.version: a name that nothing is linked with any more */
enum { WEAK = 1, UNDERSCORE = 2, OLD = 50, LOCAL = 100 };

static void key_of(char *to, size_t size, uint64_t address, const char *name)
{
    snprintf(to, size, "%llx %.*s", (unsigned long long)address, (int)CC_MIN(strcspn(name, "@"), (size_t)200),
             name);
}

static void read_table(Elf *elf, Elf_Scn *versions, const GElf_Shdr *h, struct cc_strmap *ret)
{
    GElf_Shdr of;
    Elf_Scn *symbols = elf_getscn(elf, h->sh_link);
    Elf_Data *v = elf_getdata(versions, NULL), *table = symbols ? elf_getdata(symbols, NULL) : NULL;
    if (!v || !table || !gelf_getshdr(symbols, &of))
        return;
    for (size_t i = 1; i < v->d_size / sizeof(GElf_Versym) && i < INT32_MAX; i++) {
        GElf_Versym version;
        GElf_Sym sym;
        char key[256];
        if (!gelf_getversym(v, (int)i, &version) || !(version & HIDDEN) ||
            !gelf_getsym(table, (int)i, &sym) || sym.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, of.sh_link, sym.st_name);
        if (!name)
            continue;
        key_of(key, sizeof key, sym.st_value, name);
        cc_strmap_put(ret, key, NULL);
    }
}

void cc_called_read_old(Elf *elf, struct cc_strmap *ret)
{
    GElf_Shdr h;
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s));)
        if (gelf_getshdr(s, &h) && h.sh_type == SHT_GNU_versym)
            read_table(elf, s, &h, ret);
}

static bool is_old(const struct cc_strmap *old, uint64_t address, const char *name)
{
    char key[256];
    const char *version = strchr(name, '@');
    if (version)
        return version[1] != '@';
    key_of(key, sizeof key, address, name);
    return old->n && cc_strmap_get(old, key);
}

/* How far a name is from what people write: leading underscores are reserved for those who write libraries,
 * and "__GI_" and "__EI_" are what glibc calls its functions where it calls them itself. */
static unsigned underscores(const char *name)
{
    enum { MOST = 3, INTERNAL = 4 };
    if (name[0] == '_' && (name[1] == 'Z' || name[1] == 'R')) /* mangled */
        return 0;
    if (strncmp(name, "__GI_", 5) == 0 || strncmp(name, "__EI_", 5) == 0)
        return INTERNAL;
    return (unsigned)CC_MIN(strspn(name, "_"), (size_t)MOST);
}

/* What a library offers before what is its own; "write" before "__write", though that is global and the other
 * weak; "memcmp", which is global, before "bcmp", which is weak. */
struct cc_called cc_called_of(const struct cc_strmap *old, const GElf_Sym *sym, uint64_t address,
                              const char *name)
{
    unsigned binding = GELF_ST_BIND(sym->st_info), rank = underscores(name) * UNDERSCORE;
    rank += GELF_ST_TYPE(sym->st_info) == STT_NOTYPE ? CC_CALLED_LABEL : 0;
    rank += binding == STB_LOCAL ? LOCAL : binding == STB_WEAK ? WEAK : 0;
    rank += is_old(old, address, name) ? OLD : 0;
    return (struct cc_called){name, rank};
}

/* Of two as good as each other the shorter one: "strtol" is "strtoimax", too. */
int cc_called_compare(const struct cc_called *a, const struct cc_called *b)
{
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    size_t x = strcspn(a->name, "@"), y = strcspn(b->name, "@");
    return x != y ? (x < y ? -1 : 1) : strcmp(a->name, b->name);
}
