#include "base/csv.h"
#include "base/rng.h"
#include "tap.h"

static struct cc_csv *parse(const char *text, struct cc_err *err)
{
    struct cc_csv *csv = NULL;
    memset(err, 0, sizeof *err);
    return cc_csv_parse("t.csv", text, strlen(text), &csv, err) < 0 ? NULL : csv;
}

int main(void)
{
    struct cc_err err;
    struct cc_csv *c = parse("# note\nname, v\r\n\n\"a,\"\"b\"\"\nc\" , 1\r\nplain,", &err);
    OK(c && c->ncols == 2 && c->nrows == 2, "header and rows, without comments and blank lines");
    OK_STR(c->header.cells[1], "v", "cells are trimmed");
    OK_STR(c->rows[0].cells[0], "a,\"b\"\nc", "quotes, commas and line ends inside quotes");
    OK_STR(c->rows[0].cells[1], "1", "the cell after them");
    OK_STR(c->rows[1].cells[1], "", "an empty last cell");
    OK(c->rows[0].line == 4 && c->rows[1].line == 6, "lines of the rows");
    cc_csv_free(c);
    OK(!parse("a,b\n1\n", &err) && err.line == 2 && strstr(err.msg, "header has 2"), "too few cells");
    OK(!parse("a,b\n1,\"2\n3\n", &err) && err.line == 2 && strstr(err.msg, "quote"), "an open quote");
    OK(!parse("", &err) && strstr(err.msg, "no header"), "an empty file");
    OK(cc_csv_parse("t.csv", "a\0b", 3, &c, &err) < 0, "zero bytes");
    struct cc_rng rng = {7};
    size_t parsed = 0;
    for (int i = 0; i < 5000; i++) {
        char text[] = "name,lut,\"ff [x]\"\n\"a\",1,2\nb,\"3\",4\r\n# c\nd,5,6\n";
        for (size_t k = cc_rng_below(&rng, 4); k > 0; k--)
            text[cc_rng_below(&rng, sizeof text - 1)] = "\",\n\r #a\0\xff"[cc_rng_below(&rng, 9)];
        c = NULL;
        if (cc_csv_parse("t.csv", text, sizeof text - 1, &c, &err) == 0)
            parsed++;
        cc_csv_free(c);
    }
    OK(parsed > 100 && parsed < 4900, "mutated text is parsed or refused (%zu parsed)", parsed);
    return TAP_DONE();
}
