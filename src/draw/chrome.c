#include "chrome.h"

#ifndef CC_VERSION
#define CC_VERSION "0"
#endif

void cc_chrome_begin(struct cc_chrome *c, FILE *out, const char *unit, const char *meaning)
{
    c->arrows = 0;
    cc_json_init(&c->j, out);
    cc_json_obj(&c->j, NULL);
    cc_json_str(&c->j, "displayTimeUnit", unit);
    cc_json_obj(&c->j, "otherData");
    if (meaning)
        cc_json_str(&c->j, "unit", meaning);
    cc_json_str(&c->j, "creator", "corecast " CC_VERSION);
    cc_json_end(&c->j);
    cc_json_arr(&c->j, "traceEvents");
}

void cc_chrome_end(struct cc_chrome *c)
{
    cc_json_end(&c->j);
    cc_json_end(&c->j);
}

/* What all events have; the object stays open. */
static void put_head(struct cc_chrome *c, const char *phase, const char *name, size_t process, size_t thread)
{
    cc_json_obj(&c->j, NULL);
    cc_json_str(&c->j, "ph", phase);
    cc_json_str(&c->j, "name", name);
    cc_json_u64(&c->j, "pid", process + 1);
    cc_json_u64(&c->j, "tid", thread + 1);
}

static void put_name(struct cc_chrome *c, const char *what, size_t process, size_t thread, const char *name)
{
    put_head(c, "M", what, process, thread);
    cc_json_obj(&c->j, "args");
    cc_json_str(&c->j, "name", name);
    cc_json_end(&c->j);
    cc_json_end(&c->j);
}

void cc_chrome_process(struct cc_chrome *c, size_t process, const char *name)
{
    put_name(c, "process_name", process, 0, name);
}

void cc_chrome_thread(struct cc_chrome *c, size_t process, size_t thread, const char *name)
{
    put_name(c, "thread_name", process, thread, name);
}

static void put_event(struct cc_chrome *c, const struct cc_chrome_event *e)
{
    put_head(c, "X", e->name, e->process, e->thread);
    cc_json_str(&c->j, "cat", e->category);
    cc_json_num(&c->j, "ts", e->start);
    cc_json_num(&c->j, "dur", e->length);
}

void cc_chrome_event(struct cc_chrome *c, const struct cc_chrome_event *e)
{
    put_event(c, e);
    cc_json_end(&c->j);
}

struct cc_json *cc_chrome_event_open(struct cc_chrome *c, const struct cc_chrome_event *e)
{
    put_event(c, e);
    cc_json_obj(&c->j, "args");
    return &c->j;
}

void cc_chrome_event_close(struct cc_chrome *c)
{
    cc_json_end(&c->j);
    cc_json_end(&c->j);
}

void cc_chrome_arrow(struct cc_chrome *c, const char *name, const char *category,
                     const struct cc_chrome_event *from, const struct cc_chrome_event *to)
{
    c->arrows++;
    for (int end = 0; end < 2; end++) {
        const struct cc_chrome_event *e = end ? to : from;
        put_head(c, end ? "f" : "s", name, e->process, e->thread);
        cc_json_str(&c->j, "cat", category);
        if (end)
            cc_json_str(&c->j, "bp", "e"); /* the event that holds the point, not the next one */
        cc_json_u64(&c->j, "id", c->arrows);
        cc_json_num(&c->j, "ts", end ? e->start : e->start + e->length);
        cc_json_end(&c->j);
    }
}
