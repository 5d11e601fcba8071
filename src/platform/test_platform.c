#include "platform/platform.h"
#include "tap.h"

static struct cc_platform *load(const char *text, struct cc_err *err)
{
    struct cc_platform *p = NULL;
    memset(err, 0, sizeof *err);
    return cc_platform_parse("p.ini", text, strlen(text), &p, err) < 0 ? NULL : p;
}

int main(void)
{
    struct cc_err err;
    struct cc_quantity q;
    struct cc_platform *p = load("[platform]\nname = x\nclock_mhz = 500 ± 2.5\n", &err);
    OK(p, "a small platform loads");
    OK(cc_platform_num(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, &q, &err) == 0 && q.value == 500 &&
           q.spread == 2.5,
       "value and spread");
    OK(cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, -1) == 1, "a default from the schema");
    OK(cc_platform_override(p, "clock_mhz=600", &err) == 0 &&
           cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0) == 600,
       "an override by key");
    OK(cc_platform_override(p, "cpi=1.5", &err) == 0 &&
           cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CPI, 0) == 1.5,
       "also by a key that the file lacks, where one section may have it");
    OK(cc_platform_override(p, "platform.cores=0", &err) == -CC_EINPUT, "an override is checked");
    OK(cc_platform_override(p, "platform.coers=2", &err) == -CC_EUSAGE && strstr(err.hint, "cores"),
       "so is its key");
    OK_STR(cc_platform_key_name(CC_NUM_UNIT_CLOCK_MHZ), "clock_mhz", "the name of a key");
    cc_platform_free(p);
    OK(!load("[platform]\nname = x\nclok_mhz = 5\n", &err) && err.line == 3 && strstr(err.hint, "clock_mhz"),
       "unknown key, with the near one");
    OK(!load("[platfrom]\nname = x\n", &err) && err.line == 1 && strstr(err.hint, "platform"),
       "unknown section, with the near one");
    OK(!load("[platform]\nname = x\n[unit.gpu]\nclock_hz = 5\n", &err) && err.line == 4 &&
           strstr(err.hint, "clock_mhz"),
       "in a section with a name of its own too");
    OK(!load("[platform]\nclock_mhz = 5\n", &err) && strstr(err.msg, "'name'"), "required key");
    OK(!load("[platform]\nname = x\nclock_mhz = -5\n", &err) && err.line == 3, "out of range");
    OK(!load("[platform]\nname = x\nclock_mhz = fast\n", &err) && strstr(err.msg, "not a number"),
       "not a number");
    OK(!load("", &err) && strstr(err.msg, "not a platform file"), "empty file");
    OK(!load("[platform]\nname = x\ninherits = ./absent.ini\n", &err) && strstr(err.msg, "p.ini:3"),
       "absent parent");
    return TAP_DONE();
}
