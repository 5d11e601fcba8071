#include "analysis/lines/lines.h"
#include "profile/names.h"
#include "fixture.h"
#include "tap.h"

#include <unistd.h>

static uint64_t sum_of(const struct cc_line_sums *s, uint32_t function)
{
    uint64_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += function == CC_NONE || s->v[i].function == function ? s->v[i].counts.instructions : 0;
    return n;
}

/* Two blocks: 4 and 3 instructions; the first has two lines of one file, the second one of them and code
 * without a line. */
static void test_closed_form(void)
{
    struct cc_pblock blocks[2] = {{.instructions = 4}, {.instructions = 3}};
    struct cc_rec_line lines[] = {{0, 0, 7, 3, 8, 0, 8, CC_NONE},
                                  {0, 0, 9, 1, 0, 4, 0, CC_NONE},
                                  {1, 0, 7, 2, 16, 2, 0, CC_NONE},
                                  {1, CC_NONE, 0, 1, 1, 0, 0, 3}};
    struct cc_rec_exec execs[] = {{.block = 0, .function = 1, .count = 10},
                                  {.block = 1, .function = 1, .count = 5},
                                  {.block = 1, .function = 2, .count = 100}};
    struct cc_pfile files[] = {{.path = "a.c"}};
    struct cc_profile p = {.blocks = blocks,
                           .nblocks = 2,
                           .lines = lines,
                           .nlines = 4,
                           .execs = execs,
                           .nexecs = 3,
                           .files = files,
                           .nfiles = 1};
    struct cc_line_sums *s = NULL;
    struct cc_err err = {0};
    OK(cc_line_sums(&p, &(struct cc_line_request){0}, &s, &err) == 0 && s->n == 3, "three lines");
    OK(s->v[0].line == 7 && s->v[0].counts.instructions == 30 + 210 && s->v[0].counts.read == 80 + 105 * 16 &&
           s->v[0].counts.written == 210 && s->v[0].counts.conditional == 80,
       "a line of two blocks");
    OK(s->v[1].line == 9 && s->v[1].counts.instructions == 10 && s->v[1].counts.written == 40,
       "a line of one");
    OK(s->v[2].file == CC_NONE && s->v[2].binary == 3 && s->v[2].counts.instructions == 105 &&
           s->v[2].counts.read == 105,
       "no line is last");
    OK_U64(s->total.instructions, 4 * 10 + 3 * 105, "nothing is lost");
    cc_line_sums_free(s);
    bool match[3] = {false, false, true};
    cc_line_sums(&p, &(struct cc_line_request){.match = match}, &s, &err);
    OK(s->n == 2 && s->total.instructions == 300 && s->v[0].counts.instructions == 200, "of one function");
    cc_line_sums_free(s);
    cc_line_sums(&p, &(struct cc_line_request){.by_function = true}, &s, &err);
    OK(s->n == 5 && sum_of(s, 1) == 55 && sum_of(s, 2) == 300 && s->v[3].function == 2,
       "each function apart");
    cc_line_sums_free(s);
    execs[0].count = INT64_MAX;
    OK(cc_line_sums(&p, &(struct cc_line_request){0}, &s, &err) < 0, "counts that overflow are refused");
}

/* The fixture's code lies where a function of its source does. */
static void test_fixture(void)
{
    struct cc_profile *p = cc_fixture_profile();
    struct cc_line_sums *s = NULL;
    struct cc_err err = {0};
    uint64_t executed = 0, placed = 0;
    OK(cc_line_sums(p, &(struct cc_line_request){0}, &s, &err) == 0, "a recorded run");
    for (size_t i = 0; i < p->nexecs; i++)
        executed += p->execs[i].count * p->blocks[p->execs[i].block].instructions;
    OK(s->total.instructions == executed && executed && sum_of(s, CC_NONE) == executed, "nothing is lost");
    OK_U64(s->total.read, executed / 4 * 8, "bytes of an instruction, each time it was executed");
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].file != CC_NONE && strstr(p->files[s->v[i].file].path, "fixture.c"))
            placed += s->v[i].counts.instructions;
    OK(placed > 0, "it has lines of its source");
    char *source = cc_names_file(&p->files[0]);
    OK(p->files[0].has_content == (access(source, F_OK) == 0) &&
           p->files[0].has_content == (p->files[0].content > 0),
       "whose content is known where the source still is");
    free(source);
    cc_line_sums_free(s);
    p->nlines = 0;
    OK(cc_line_sums(p, &(struct cc_line_request){0}, &s, &err) < 0 && strstr(err.msg, "without the code"),
       "a run without code is refused");
    cc_profile_free(p);
}

int main(void)
{
    test_closed_form();
    test_fixture();
    return TAP_DONE();
}
