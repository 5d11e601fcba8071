#include "profile/tasks.h"
#include "tap.h"

#include <unistd.h>

static char path[TAP_FOLDER];

/* main { loop x n { inner } } on thread 7, plus a second thread; sizes large enough for several chunks. */
static struct cc_tasks_writer *sample(struct cc_store *s, unsigned n, struct cc_err *err)
{
    static const char *const counters[] = {"l1.read", "l1.write"};
    struct cc_tasks_writer *w = cc_tasks_writer_new(s, "cycles", 1e9, counters, 2);
    uint32_t main_ = (uint32_t)cc_tasks_name(w, "main", err),
             loop = (uint32_t)cc_tasks_name(w, "main.loop", err);
    uint32_t inner = (uint32_t)cc_tasks_name(w, "inner", err);
    uint64_t t = 1000, c[2] = {5, 6};
    int bad = cc_tasks_begin(w, 7, main_, t, c, err);
    for (unsigned i = 0; i < n; i++) {
        bad |= cc_tasks_begin(w, 7, loop, t += 3, c, err);
        c[0] += i;
        bad |= cc_tasks_begin(w, 7, inner, t += i % 1000, c, err);
        bad |= cc_tasks_end(w, 7, inner, t += 1 << (i % 30), c, err);
        c[1] += 2;
        bad |= cc_tasks_end(w, 7, loop, t += 1, c, err);
    }
    bad |= cc_tasks_begin(w, 9, inner, 4, c, err);
    bad |= cc_tasks_end(w, 9, inner, 9, c, err);
    bad |= cc_tasks_burden(w, loop, 4, 1.5, 0.1, err);
    bad |= cc_tasks_burden(w, loop, 2, 1.25, 0, err);
    bad |= cc_tasks_copies(w, loop, 4, (double[]){1.25, 1.5, 2}, 3, err);
    bad |= cc_tasks_copies(w, loop, 2, (double[]){1.25}, 1, err);
    OK(bad == 0, "%u events are written", 4 * n);
    return w;
}

static int count(struct cc_store *s, size_t thread, uint64_t *events, struct cc_err *err)
{
    struct cc_tasks *t;
    int rc = cc_tasks_open(s, &t, err);
    if (rc < 0)
        return rc;
    if (thread >= t->nthreads) {
        cc_tasks_free(t);
        return 0;
    }
    struct cc_tasks_cursor *c = cc_tasks_cursor_new(s, t, thread);
    struct cc_task_event ev;
    *events = 0;
    while ((rc = cc_tasks_next(c, &ev, err)) > 0)
        ++*events;
    cc_tasks_cursor_free(c);
    cc_tasks_free(t);
    return rc;
}

static void round_trip(void)
{
    enum { N = 100000 };
    struct cc_err err = {0};
    struct cc_store *s;
    cc_store_create(path, &s, &err);
    OK(!cc_tasks_present(s), "a new store has no task trace");
    struct cc_tasks_writer *w = sample(s, N, &err);
    OK(cc_tasks_finish(w, 900, 1000, NULL, &err) == 0, "the trace is finished with main still open");
    cc_tasks_writer_free(w);
    OK(cc_store_commit(s, &err) == 0, "and committed");
    OK(cc_store_open(path, &s, &err) == 0 && cc_tasks_present(s), "opened again");
    struct cc_tasks *t;
    OK(cc_tasks_open(s, &t, &err) == 0, "the head reads");
    OK(t->nthreads == 2 && t->threads[0].id == 7 && t->threads[0].chunks > 2, "threads, several chunks");
    OK_STR(t->clock, "cycles", "clock");
    OK(t->nburdens == 2 && t->burdens[0].busy == 2 && t->burdens[1].factor == 1.5, "burdens in order");
    OK(t->ncopies == 2 && t->copies[0].n == 1 && t->copies[1].busy == 4 && t->copies[1].n == 3 &&
           t->copies[1].factors[2] == 2,
       "copies in order");
    struct cc_tasks_cursor *c = cc_tasks_cursor_new(s, t, 0);
    struct cc_task_event ev;
    bool same = cc_tasks_next(c, &ev, &err) == 1 && !ev.end && ev.time == 1000 && ev.counters[1] == 6;
    uint64_t time = 1000, c0 = 5;
    for (unsigned i = 0; i < N; i++) {
        same &= cc_tasks_next(c, &ev, &err) == 1 && !ev.end && ev.name == 1 && ev.time == (time += 3) &&
                ev.counters[0] == c0;
        c0 += i;
        same &= cc_tasks_next(c, &ev, &err) == 1 && !ev.end && ev.name == 2 && ev.time == (time += i % 1000);
        same &=
            cc_tasks_next(c, &ev, &err) == 1 && ev.end && ev.name == 2 && ev.time == (time += 1 << (i % 30));
        same &= cc_tasks_next(c, &ev, &err) == 1 && ev.end && ev.name == 1 && ev.time == (time += 1) &&
                ev.counters[0] == c0;
    }
    same &= cc_tasks_next(c, &ev, &err) == 1 && ev.end && ev.name == 0 && ev.time == t->end;
    OK(same && cc_tasks_next(c, &ev, &err) == 0, "every event comes back, main closed at the end");
    OK(t->end == time, "the end covers the last event");
    cc_tasks_cursor_free(c);
    cc_tasks_free(t);
    cc_store_free(s);
}

static void mistakes(void)
{
    struct cc_err err = {0};
    struct cc_store *s;
    cc_store_create(path, &s, &err);
    struct cc_tasks_writer *w = cc_tasks_writer_new(s, "ns", 1e9, NULL, 0);
    uint32_t a = (uint32_t)cc_tasks_name(w, "a", &err), b = (uint32_t)cc_tasks_name(w, "b", &err);
    OK(cc_tasks_name(w, "", &err) < 0, "an empty name is refused");
    cc_tasks_begin(w, 0, a, 10, NULL, NULL);
    cc_tasks_begin(w, 0, b, 20, NULL, NULL);
    err = (struct cc_err){0};
    OK(cc_tasks_end(w, 0, b, 15, NULL, &err) < 0 && strstr(err.msg, "goes back"),
       "time that goes back is refused");
    OK(cc_tasks_end(w, 0, a, 30, NULL, NULL) == 0, "the end of an outer task is stored");
    cc_tasks_finish(w, 0, 30, NULL, NULL);
    uint64_t n;
    err = (struct cc_err){0};
    OK(count(s, 0, &n, &err) < 0 && strstr(err.msg, "event 3") && strstr(err.msg, "'a'") &&
           strstr(err.msg, "'b'"),
       "and found when reading: %s", err.msg);
    cc_tasks_writer_free(w);
    cc_store_free(s);
}

static unsigned rnd(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*state >> 33);
}

/* Damaged bytes behind a right checksum, as somebody hostile would send them. */
static void mutations(void)
{
    struct cc_err err = {0};
    struct cc_store *s;
    cc_store_create(path, &s, &err);
    struct cc_tasks_writer *w = sample(s, 40, &err);
    cc_tasks_finish(w, 900, 1000, NULL, &err);
    cc_tasks_writer_free(w);
    void *part[2];
    size_t size[2];
    cc_store_get_chunk(s, "tasks", 0, &part[0], &size[0], &err);
    cc_store_get_chunk(s, "tasks.7", 0, &part[1], &size[1], &err);
    uint64_t seed = 1, events;
    unsigned refused = 0, survived = 0;
    for (int round = 0; round < 3000; round++) {
        struct cc_store *m = s;
        cc_store_exec(m, "DELETE FROM chunk", NULL);
        unsigned char *copy[2];
        size_t n[2];
        for (int i = 0; i < 2; i++) {
            n[i] = size[i];
            copy[i] = cc_alloc(size[i]);
            memcpy(copy[i], part[i], size[i]);
        }
        int hit = (int)(rnd(&seed) % 2);
        for (unsigned k = 0, flips = 1 + rnd(&seed) % 4; k < flips; k++)
            copy[hit][rnd(&seed) % n[hit]] = (unsigned char)rnd(&seed);
        if (rnd(&seed) % 4 == 0)
            n[hit] = rnd(&seed) % n[hit];
        cc_store_put_chunk(m, "tasks", 0, copy[0], n[0], NULL);
        cc_store_put_chunk(m, "tasks.7", 0, copy[1], n[1], NULL);
        struct cc_err why = {0};
        if (count(m, 0, &events, &why) < 0)
            refused += why.code == CC_EINPUT && why.msg[0];
        else
            survived++;
        free(copy[0]);
        free(copy[1]);
    }
    OK(refused + survived == 3000 && refused > 1000,
       "3000 damaged traces: %u refused with a message, the rest still whole", refused);
    free(part[0]);
    free(part[1]);
    cc_store_free(s);
}

int main(void)
{
    tap_file(path);
    round_trip();
    mistakes();
    mutations();
    unlink(path);
    return TAP_DONE();
}
