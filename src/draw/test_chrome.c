/* The trace event writer: what the format asks of every event, and numbers that Perfetto keeps apart. */
#include "draw/chrome.h"
#include "tap.h"

static char *trace(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    struct cc_chrome c;
    struct cc_chrome_event a = {"f\"1\"", "call", 0, 0, 0, 2.5}, b = {"g", "call", 1, 2, 4, 1};
    cc_chrome_begin(&c, f, "ms", "one microsecond is one instruction");
    cc_chrome_process(&c, 0, "program");
    cc_chrome_thread(&c, 0, 0, "first");
    cc_chrome_thread(&c, 1, 2, "third");
    cc_chrome_event(&c, &a);
    struct cc_json *args = cc_chrome_event_open(&c, &b);
    cc_json_u64(args, "line", 7);
    cc_chrome_event_close(&c);
    cc_chrome_arrow(&c, "data", "transfer", &a, &b);
    cc_chrome_end(&c);
    fclose(f);
    /* without blanks, so that tests need not know how it is indented */
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != ' ' && *from != '\n')
            *to++ = *from;
    *to = 0;
    return text;
}

static void has(const char *text, const char *part, const char *what)
{
    OK(strstr(text, part), "%s", what);
    if (!strstr(text, part))
        printf("# %s\n", text);
}

int main(void)
{
    char *t = trace();
    has(t, "{\"displayTimeUnit\":\"ms\",\"otherData\":{\"unit\":\"onemicrosecondisoneinstruction\"",
        "the head");
    has(t, "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"program\"}}",
        "a process");
    has(t, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":1,\"args\":{\"name\":\"first\"}}",
        "thread 0 is number 1");
    has(t, "{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":2,\"tid\":3,\"args\":{\"name\":\"third\"}}",
        "and the others follow");
    has(t, "{\"ph\":\"X\",\"name\":\"f\\\"1\\\"\",\"pid\":1,\"tid\":1,\"cat\":\"call\",\"ts\":0,\"dur\":2.5}",
        "an event");
    has(t, "\"pid\":2,\"tid\":3,\"cat\":\"call\",\"ts\":4,\"dur\":1,\"args\":{\"line\":7}}",
        "with arguments");
    has(t, "{\"ph\":\"s\",\"name\":\"data\",\"pid\":1,\"tid\":1,\"cat\":\"transfer\",\"id\":1,\"ts\":2.5}",
        "an arrow from an event's end");
    has(t,
        "{\"ph\":\"f\",\"name\":\"data\",\"pid\":2,\"tid\":3,\"cat\":\"transfer\",\"bp\":\"e\",\"id\":1,"
        "\"ts\":4}",
        "to another's start");
    OK(!strstr(t, "\"pid\":0") && !strstr(t, "\"tid\":0"), "nothing is number 0");
    free(t);
    return TAP_DONE();
}
