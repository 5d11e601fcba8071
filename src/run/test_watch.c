/* How far a recording or a simulation is, read from what it leaves while it runs. */
#include "run/record.h"
#include "run/simulate.h"
#include "profile/records.h"
#include "tap.h"

#include <sys/mman.h>
#include <unistd.h>

static const char *put(const char *path, const char *magic, uint64_t instructions, size_t size)
{
    struct {
        char magic[8];
        struct cc_rec_head head;
        struct cc_rec_run run;
    } begin = {.head = {CC_REC_RUN, sizeof(struct cc_rec_run)}, .run = {.instructions = instructions}};
    memcpy(begin.magic, magic, sizeof begin.magic);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(&begin, 1, CC_MIN(size, sizeof begin), f) == 0)
        exit(99);
    fclose(f);
    return path;
}

static void test_record(void)
{
    struct cc_record_watch w = {.known = false};
    char a[4200], b[4200];
    tap_file(w.path);
    snprintf(a, sizeof a, "%s.0", w.path);
    snprintf(b, sizeof b, "%s.1", w.path);
    OK_U64(cc_record_watched(&w), 0, "nobody said where to look");
    w.known = true;
    OK_U64(cc_record_watched(&w), 0, "no snapshot yet");
    put(a, CC_RECORD_MAGIC, 1000, SIZE_MAX);
    OK_U64(cc_record_watched(&w), 1000, "the first");
    put(b, CC_RECORD_MAGIC, 5000, SIZE_MAX);
    OK_U64(cc_record_watched(&w), 5000, "the latest of two");
    put(b, CC_RECORD_MAGIC, 9000, 30);
    OK_U64(cc_record_watched(&w), 1000, "one that is just being written says nothing");
    put(b, "CCREC000", 9000, SIZE_MAX);
    OK_U64(cc_record_watched(&w), 1000, "nor does a file of another kind");
    unlink(w.path);
    unlink(a);
    unlink(b);
}

static void test_simulate(void)
{
    struct cc_simulate_watch w = {.fd = -1};
    OK_U64(cc_simulate_watched(&w), 0, "a simulation that has not begun");
    w.fd = memfd_create("watch", MFD_CLOEXEC);
    if (w.fd < 0 || ftruncate(w.fd, sizeof(struct cc_sim_shared)) != 0)
        exit(99);
    OK_U64(cc_simulate_watched(&w), 0, "one that has done nothing");
    struct cc_sim_shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, w.fd, 0);
    if (s == MAP_FAILED)
        exit(99);
    s->stats.core[0].instructions = 7;
    s->stats.core[0].cycles = 100;
    s->stats.core[CC_SIM_MAX_CORES - 1].instructions = 5;
    OK_U64(cc_simulate_watched(&w), 12, "instructions of all cores");
    munmap(s, sizeof *s);
    cc_simulate_watch_fini(&w);
}

int main(void)
{
    test_record();
    test_simulate();
    return TAP_DONE();
}
