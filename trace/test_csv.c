/* CSV to trace and back; copies of a part. */
#include "../tests/tap.h"
#include "../src/base/err.h"
#include "../src/cli/trace/chrome.h"
#include "copy.h"
#include "csv.h"
#include "stats.h"

#include <unistd.h>

static uint64_t seed = 3;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static char csv[TAP_FOLDER], trace[TAP_FOLDER];

static void put(const char *text, size_t n)
{
    FILE *f = fopen(csv, "w");
    fwrite(text, 1, n, f);
    fclose(f);
}

static int import(const char *text, size_t n, int64_t hit, uint64_t *events, struct cc_err *err)
{
    put(text, n);
    memset(err, 0, sizeof *err);
    return cc_trace_import_csv(csv, trace, &(struct cc_trace_import){hit}, events, err);
}

static const char good[] =
    "# cores = 4\n# program = a b\n"
    "cycle,cpu,kind,pc,address,latency,node,hops,size,flags,function,file,line,object\n"
    "0,0,fetch,0x100,0x100,1,,,4,hit,f,a.c,3,\n"
    "1,0,load,0x104,0x2000,20,5,3,4,,f,a.c,4,table\n"
    "1,1,store,0x200,0x2004,30,5,2,4,stalled,\"g,h\",b.c,9,table\n"
    "5,1,atomic,0x204,0x3000,7,,,8,shared+false,\"g,h\",b.c,9,lock\n";

static void test_round_trip(void)
{
    uint64_t n;
    struct cc_err err;
    OK(import(good, sizeof good - 1, -1, &n, &err) == 0 && n == 4, "imports (%s)", err.msg);
    struct cc_trace_reader *r;
    OK(cc_trace_open(trace, &r, &err) == 0, "opens");
    OK_STR(cc_trace_find_symbol(r, 0x102)->name, "f", "functions from the rows");
    OK_STR(cc_trace_find_symbol(r, 0x204)->name, "g,h", "quoted names");
    OK_STR(cc_trace_find_object(r, 0x2004, 0)->name, "table", "objects from the rows");
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    cc_trace_export_csv(r, NULL, 0, f);
    fclose(f);
    OK_STR(text, good, "export gives the same text back");
    free(text);
    f = open_memstream(&text, &size);
    cc_trace_export_chrome(r, NULL, false, 0, f);
    fclose(f);
    OK(strstr(text, "\"g,h\"") && !strstr(text, "0x100"), "JSON for viewers leaves hits out");
    free(text);
    struct cc_trace_stats s;
    cc_trace_stats(r, NULL, &s);
    OK(s.events == 4 && s.misses == 3 && s.q3 == 30 && s.median == 20 && s.q1 == 7 && s.max == 30,
       "statistics");
    OK(cc_trace_partial(r) == NULL, "nothing is lost");
    char copy[TAP_FOLDER + 8];
    snprintf(copy, sizeof copy, "%s.copy", trace);
    OK(cc_trace_copy(r, &(struct cc_trace_filter){.to = 1}, 0, copy, &n, &err) == 0 && n == 3,
       "copy of a part");
    cc_trace_close(r);
    OK(cc_trace_open(copy, &r, &err) == 0, "the copy opens");
    OK_STR(cc_trace_find_symbol(r, 0x204)->name, "g,h", "with the symbols");
    cc_trace_close(r);
    unlink(copy);
    const char bare[] = "pc,latency,cpu,cycle\n16,1,0,5\n32,9,0,6\n";
    OK(import(bare, sizeof bare - 1, 2, &n, &err) == 0 && n == 2, "few columns, in another order");
    cc_trace_open(trace, &r, &err);
    struct cc_trace_event e;
    OK(cc_trace_next(r, &e) && e.flags == CC_TRACE_HIT && e.kind == CC_TRACE_FETCH && e.addr == 16,
       "--hit-latency marks hits");
    OK(cc_trace_next(r, &e) && e.flags == 0, "and only those");
    cc_trace_close(r);
}

static void test_other_names(void)
{
    struct cc_err err = {0};
    struct cc_trace_reader *r;
    struct cc_trace_event e;
    uint64_t n;
    const char raw[] =
        "CPU ID,Cycle Number,Program Counter,Instruction Type,Data Address,Access Latency,Function Name\n"
        "1,212305,0x10008260,fetch,0x10008260,28,cpu_mp_wait\n";
    OK(import(raw, sizeof raw - 1, -1, &n, &err) == 0 && n == 1, "columns as a thesis names them");
    cc_trace_open(trace, &r, &err);
    OK(cc_trace_next(r, &e) && e.cpu == 1 && e.cycle == 212305 && e.latency == 28 &&
           e.kind == CC_TRACE_FETCH && strcmp(cc_trace_find_symbol(r, 0x10008260)->name, "cpu_mp_wait") == 0,
       "mean the same");
    cc_trace_close(r);
    const char noc[] = "Cycle Number,CPU ID(1),Access type,Page Number,Program Counter,Hop Count,Node ID "
                       "(2),Access Latency\n"
                       "212305,1,INST,785408,0xbfc00740,3,10,48\n";
    OK(import(noc, sizeof noc - 1, -1, &n, &err) == 0 && n == 1, "with a network, and pages");
    cc_trace_open(trace, &r, &err);
    OK(cc_trace_next(r, &e) && e.addr == (uint64_t)785408 << 12 && e.hops == 3 && e.node == 10 &&
           e.latency == 48,
       "a page is its first address");
    cc_trace_close(r);
}

static void test_refusals(void)
{
    static const struct {
        const char *text, *want;
        unsigned line;
    } cases[] = {
        {"", "no header", 0},
        {"# only = facts\n", "no header", 0},
        {"cycle,cpu,pc\n", "lacks column 'latency'", 1},
        {"cycle,cpu,latency\n", "lacks column 'pc' or 'address'", 1},
        {"cycle,cpu,latency,pc,colour\n", "unknown column 'colour'", 1},
        {"cycle,cpu,latency,pc,pc\n", "comes twice", 1},
        {"cycle,cpu,latency,pc\n5,0,1,2\n4,0,1,2\n", "cycle 4 of CPU 0 comes after a later one", 3},
        {"cycle,cpu,latency,pc\n5,65536,1,2\n", "cpu is larger than 65535", 2},
        {"cycle,cpu,latency,pc\n5,0,4294967296,2\n", "latency is larger than 4294967295", 2},
        {"cycle,cpu,latency,pc\n99999999999999999999,0,1,2\n", "cycle is larger", 2},
        {"cycle,cpu,latency,pc\n-5,0,1,2\n", "cycle is no number", 2},
        {"cycle,cpu,latency,pc\n5,0,,2\n", "latency is no number", 2},
        {"cycle,cpu,latency,pc\n5,0,1\n", "3 fields, the header has 4", 2},
        {"cycle,cpu,latency,pc,kind\n5,0,1,2,jump\n", "kind 'jump'", 2},
        {"cycle,cpu,latency,pc,flags\n5,0,1,2,hit+x\n", "flag 'x'", 2},
        {"cycle,cpu,latency,pc\n5,0,1,\"2\n", "not closed", 2},
        {"cycle,cpu,latency,pc\n5,0,1,\"2\"x\n", "text after", 2},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        uint64_t n;
        struct cc_err err;
        unlink(trace);
        int rc = import(cases[i].text, strlen(cases[i].text), -1, &n, &err);
        OK(rc < 0 && err.line == cases[i].line && strstr(err.msg, cases[i].want), "refused: %s (%s:%u)",
           cases[i].want, err.msg, err.line);
        if (access(trace, F_OK) == 0)
            OK(0, "a refused import leaves no trace");
    }
}

static void test_mutations(void)
{
    int harmless = 0, read = 0, rounds = 4000;
    for (int i = 0; i < rounds; i++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        size_t n = sizeof good - 1;
        for (uint64_t k = 1 + rnd() % 6; k-- > 0;) {
            size_t at = rnd() % n;
            if (rnd() % 4 == 0 && n > 10) {
                memmove(text + at, text + at + 1, n - at - 1);
                n--;
            } else {
                text[at] = rnd() % 3 ? ",\n\"0x9-#= "[rnd() % 11] : (char)rnd();
            }
        }
        uint64_t events;
        struct cc_err err;
        if (import(text, n, -1, &events, &err) == 0) {
            struct cc_trace_reader *r;
            struct cc_trace_stats s;
            read++;
            if (cc_trace_open(trace, &r, &err) == 0) {
                cc_trace_stats(r, NULL, &s);
                harmless += s.events == events;
                cc_trace_close(r);
            }
        } else {
            harmless += err.msg[0] != 0;
        }
    }
    OK(harmless == rounds, "%d mutated CSV files: read (%d) or refused with a reason", rounds, read);
    OK(read > 50 && read < rounds - 50, "and both happen");
}

int main(void)
{
    tap_file(csv);
    tap_file(trace);
    test_round_trip();
    test_other_names();
    test_refusals();
    test_mutations();
    unlink(csv);
    unlink(trace);
    return TAP_DONE();
}
