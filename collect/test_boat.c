/* Snapshots into mapped memory: whole or none, nothing of the one before behind them. */
#include "boat.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static void put(struct cc_boat *b, const char *text, size_t step)
{
    cc_boat_begin(b);
    for (size_t n = strlen(text), at = 0; at < n; at += step)
        cc_boat_write(b, text + at, n - at < step ? n - at : step);
}

int main(void)
{
    char memory[64] = "of an earlier file";
    struct cc_boat b = {.p = (uint8_t *)memory, .size = sizeof memory, .used = strlen(memory)};
    for (size_t step = 1; step < 20; step++) {
        put(&b, "MAGIC...a longer text", step);
        OK(memcmp(memory, "\0\0\0\0\0\0\0\0", 8) == 0, "in pieces of %zu: no magic before the end", step);
        cc_boat_end(&b);
        OK_STR(memory, "MAGIC...a longer text", "then all of it");
        put(&b, "MAGIC...short", step);
        OK(memory[0] == 0, "the next one begins: there is none");
        cc_boat_end(&b);
        OK_STR(memory, "MAGIC...short", "and ends where it ends");
        unsigned behind = 0;
        for (size_t i = strlen(memory); i < sizeof memory; i++)
            behind += memory[i] != 0;
        OK(behind == 0, "with nothing behind it");
    }
    char large[65];
    memset(large, 'x', sizeof large);
    cc_boat_begin(&b);
    OK(cc_boat_write(&b, large, 64) == 0 && cc_boat_write(&b, large, 1) < 0, "it does not overflow");
    cc_boat_begin(&b);
    OK(cc_boat_write(&b, large, 65) < 0 && memory[0] == 0, "nor in one piece, and is no snapshot then");
    return TAP_DONE();
}
