/* A small run with known figures, made by driving the collector without any engine: tests of everything after
 * the run start from it. */
#ifndef CC_TESTS_FIXTURE_H
#define CC_TESTS_FIXTURE_H

#include "../collect/collect.h"

/* What the run does, in the order of its thread 0 (tid 100); see fixture.c for the clock:
 *   run_program   reads 4096 bytes from in.dat, then calls
 *     produce     reads those 4096 bytes, writes 4096 to A
 *     filter      reads A four times and the 44 static bytes 1024 times, writes 4096 to B; calls
 *       img::helper(int)  10 times
 *     consume     reads the first 2048 bytes of B, writes 2048 to C
 *     dive        recurses 5 deep
 *   and writes C out. Thread 1 (tid 101) runs `worker`, which reads the first 1024 bytes of A.
 * Marks: frame 1 from 800 of thread 0 on, frame 2 from 51600; region "making" around produce, "filtering" and
 * in it "inner" around filter; and an end of "ghost", which was not begun. */
enum {
    FIXTURE_INSTRUCTIONS = 300000 + 80100,
    FIXTURE_CALLS_ON_TIME_LINE =
        12, /* two roots, run_program, produce, filter, consume, five of dive, worker */
};

struct cc_fixture {
    struct cc_collect *c;
    struct cc_thread *main, *worker;
};

void cc_fixture_start(struct cc_fixture *f);  /* up to the end of `produce` */
void cc_fixture_finish(struct cc_fixture *f); /* the rest */
/* Writes a snapshot; 0 or negative. */
int cc_fixture_snapshot(struct cc_fixture *f, const char *path, uint32_t flags);

struct cc_profile;
/* The whole run as a profile, through import and load; NULL on failure. */
struct cc_profile *cc_fixture_profile(void);
/* The same, written to a .cast file; 0 or negative. */
int cc_fixture_cast(const char *path);

/* Looks up all that an analysis may look up by an id: with a sanitizer, or a little luck, an id that was not
 * checked is found. The sum is of no use. */
uint64_t cc_fixture_walk(const struct cc_profile *p);

/* Functions whose addresses and names the run uses. */
void run_program(void);
void produce(void);
void filter(void);
void helper(void) __asm__("_ZN3img6helperEi");
void consume(void);
void dive(void);
void worker(void);

#endif
