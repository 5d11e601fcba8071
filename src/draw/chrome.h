/* The trace event format of Chrome, which Perfetto reads too: processes with threads with events, in
 * microseconds. Processes and threads are numbered from 0 here and from 1 in the file: Perfetto takes thread
 * 0 for the first of the others and draws them as one. */
#ifndef CC_DRAW_CHROME_H
#define CC_DRAW_CHROME_H

#include "../base/json.h"

struct cc_chrome {
    struct cc_json j;
    uint64_t arrows;
};

struct cc_chrome_event {
    const char *name, *category;
    size_t process, thread;
    double start, length; /* µs; events of one thread nest or are apart, or Perfetto drops them */
};

/* `unit` is what viewers show, "ms" or "ns"; `meaning` what a microsecond stands for, NULL: a microsecond. */
void cc_chrome_begin(struct cc_chrome *c, FILE *out, const char *unit, const char *meaning);
void cc_chrome_end(struct cc_chrome *c);

void cc_chrome_process(struct cc_chrome *c, size_t process, const char *name);
void cc_chrome_thread(struct cc_chrome *c, size_t process, size_t thread, const char *name);
void cc_chrome_event(struct cc_chrome *c, const struct cc_chrome_event *e);
/* An event with arguments: members are written to what this returns, until cc_chrome_event_close. */
struct cc_json *cc_chrome_event_open(struct cc_chrome *c, const struct cc_chrome_event *e);
void cc_chrome_event_close(struct cc_chrome *c);
/* From the end of one event to the start of another. */
void cc_chrome_arrow(struct cc_chrome *c, const char *name, const char *category,
                     const struct cc_chrome_event *from, const struct cc_chrome_event *to);

#endif
