/* Which iterations meet, by what the source says of their elements and by how often the run turned. */
#include "count.h"
#include "../source/test_told.h"
#include "../../../../tests/tap.h"

#define TABLE \
    "const int t[16] = {4, 5, 6, 7, 8, 9, 10, 11, 1, 13, 14, 15, 16, 17, 18, 19};\nint a[99], b[99];\n"

/* What the compiler made of the loop in line 4: turns of a loop of the binary, bytes that line 5 stores in
 * each, and in front of it. */
struct made {
    uint64_t turns;
    uint32_t inside, outside;
};

/* Whether the first array of the loop is then known to be apart; 2: its updates not to be looked at. */
static int apart(const char *text, struct made made)
{
    struct cc_source_loops *all = told_of(text);
    struct cc_ploop loop = {.outer = CC_NONE,
                            .function = 1,
                            .invocations = 1,
                            .iterations = made.turns,
                            .trips_min = made.turns,
                            .trips_max = made.turns};
    struct cc_rec_loop_block code = {.start = 0x100, .end = 0x140};
    struct cc_pblock blocks[2] = {{.address = 0x100, .function = 1}, {.address = 0x80, .function = 1}};
    struct cc_rec_line lines[2] = {{.block = 0, .line = 5, .written = made.inside},
                                   {.block = 1, .line = 5, .written = made.outside}};
    struct cc_pfile file = {.path = "t.c"};
    struct cc_pbinary binary = {0};
    struct cc_profile p = {.loops = &loop,
                           .nloops = 1,
                           .loop_blocks = &code,
                           .nloop_blocks = 1,
                           .blocks = blocks,
                           .nblocks = 2,
                           .lines = lines,
                           .nlines = 2,
                           .files = &file,
                           .nfiles = 1,
                           .binaries = &binary,
                           .nbinaries = 1};
    struct group group = {.p = &p, .source = &all->v.v[0], .file = "t.c", .line = 4};
    struct groups groups = {.p = &p};
    struct cc_arena arena = {0};
    uint32_t member = 0;
    CC_VEC_PUSH(&group.members, 0);
    CC_VEC_PUSH(&groups.v, group);
    struct gate_input in = {.p = &p,
                            .source = &all->v.v[0],
                            .sources = all,
                            .groups = &groups,
                            .members = &member,
                            .nmembers = 1,
                            .arena = &arena};
    cc_gate_count(&in);
    const struct cc_source_array *a = &in.source->arrays.v[0];
    int found = a->apart ? 1 : a->partly && a->unseen ? 2 : 0;
    CC_VEC_FINI(&groups.v.v[0].members);
    CC_VEC_FINI(&groups.v);
    cc_arena_fini(&arena);
    cc_source_loops_free(all);
    return found;
}

static void by_turns(void)
{
    static const char table[] =
        TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[t[i]] = i;\nb[0] = a[i];\n}\n}\n";
    OK(apart(table, (struct made){4, 4, 0}) == 1, "four iterations, one each");
    OK(apart(table, (struct made){5, 4, 0}) == 0, "the fifth reads what the first wrote");
    OK(apart(table, (struct made){2, 8, 0}) == 1, "two in one");
    OK(apart(table, (struct made){3, 8, 0}) == 0, "six of them");
    OK(apart(table, (struct made){3, 4, 4}) == 1, "one in front of the loop");
    OK(apart(table, (struct made){4, 4, 4}) == 0, "which is one more");
    OK(apart(table, (struct made){4, 0, 0}) == 0, "no stores are left to count by");
    OK(apart(table, (struct made){4, 2, 0}) == 0, "nor whole ones");
    OK(apart(table, (struct made){1, 4, 0}) == 0, "one iteration says nothing");
}

static void by_source(void)
{
    struct made ten = {10, 4, 0};
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[t[i]] = a[i + 50];\n}\n}\n", ten) == 1,
       "elements that nobody writes");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[(i + 95) % 99] = a[i + 50];\n}\n}\n",
             ten) == 1,
       "a remainder goes round");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[(i + 95) % 99] = a[i + 3];\n}\n}\n",
             ten) == 0,
       "to what another reads");
    OK(apart(TABLE
             "void f(int n) {\nfor (int i = 0; i < n; i++) {\nif (i > 2) a[t[i]] = i;\nb[0] = a[40];\n}\n}\n",
             ten) == 0,
       "not every iteration stores");
    OK(apart(TABLE
             "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[i / 2 + 60] = i; b[0] = a[t[i]];\n}\n}\n",
             ten) == 0,
       "two iterations store to one element");
    OK(apart(TABLE "void f(int n, int k) {\nfor (int i = 0; i < n; i++) {\na[t[i] + k] = i;\n}\n}\n", ten) ==
           0,
       "what is not known");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 3 * n; i >= 0; i -= 3) {\na[i] = a[i + 1] + a[31];\n}\n}\n",
             ten) == 1,
       "downwards, where other ends do not matter");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 3 * n; i >= 0; i -= 3) {\na[i] = a[i + 3];\n}\n}\n", ten) ==
           0,
       "downwards, to the next");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[t[i] + 20] += a[i]; b[i] = 1;\n}\n}\n",
             ten) == 1,
       "updates of each its own");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[t[i] / 8] += a[i + 8]; b[i] = "
                   "1;\n}\n}\n",
             ten) == 2,
       "sums that nobody looks at");
    OK(apart(TABLE "void f(int n) {\nfor (int i = 0; i < n; i++) {\na[t[i] / 8] += a[i + 1]; b[i] = "
                   "1;\n}\n}\n",
             ten) == 0,
       "sums that somebody does look at");
}

int main(void)
{
    by_turns();
    by_source();
    return TAP_DONE();
}
