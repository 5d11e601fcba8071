#include "result.h"
#include "text.h"
#include "tap.h"

#include <locale.h>
#include <sys/resource.h>

/* What a result prints; owned by the caller. NULL if it refuses. */
static char *printed(const struct cc_result *r, enum cc_format how, const char *table)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    struct cc_err err = {0};
    int rc = cc_result_print(r, how, table, out, &err);
    fclose(out);
    if (rc < 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void same(const struct cc_result *r, enum cc_format how, const char *table, const char *want,
                 const char *what)
{
    CC_CLEANUP(cc_free_ptr) char *got = printed(r, how, table);
    OK_STR(got ? got : "(refused)", want, "%s", what);
}

/* JSON without white space outside strings. */
static char *squeezed(const struct cc_result *r)
{
    char *s = printed(r, CC_FORMAT_JSON, NULL), *to = s;
    bool quoted = false;
    for (char *p = s; *p; p++) {
        if (*p == '"' && (p == s || p[-1] != '\\'))
            quoted = !quoted;
        if (quoted || (*p != ' ' && *p != '\n'))
            *to++ = *p;
    }
    *to = 0;
    return s;
}

static void same_json(const struct cc_result *r, const char *want, const char *what)
{
    CC_CLEANUP(cc_free_ptr) char *got = squeezed(r);
    OK_STR(got, want, "%s", what);
}

/* Lines are broken at spaces, words that are too long where the width ends; UTF-8 stays whole. */
static void test_wrap(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    static const struct cc_col cols[] = {{"a", "a", CC_COL_STR}, {"b", "b", CC_COL_STR, .wrap = 5}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "t", cols, CC_COUNT(cols));
    cc_table_row(t);
    cc_table_str(t, "x");
    cc_table_str(t, "one two three äöüßéèê 12345");
    same(r, CC_FORMAT_TEXT, NULL, "a  b\nx  one\n   two\n   three\n   äöüßé\n   èê\n   12345\n",
         "a wrapped column");
    same(r, CC_FORMAT_CSV, NULL, "a,b\nx,one two three äöüßéèê 12345\n", "which is one field elsewhere");
    cc_result_free(r);
}

static void row_of_all_types(struct cc_table *t)
{
    cc_table_row(t);
    cc_table_str(t, "a");
    cc_table_int(t, -1234567);
    cc_table_u64(t, 1500000);
    cc_table_u64(t, 2048);
    cc_table_num(t, 0.125);
    cc_table_num(t, 0.5);
    cc_table_bool(t, true);
    cc_table_list(t);
    cc_table_str(t, "x");
    cc_table_int(t, 7);
    cc_table_num(t, 0.5);
    cc_table_end(t);
    cc_table_map(t);
    cc_table_key(t, "k");
    cc_table_u64(t, 1);
    cc_table_key(t, "h");
    cc_table_null(t);
    cc_table_end(t);
    cc_table_u64(t, UINT64_MAX);
    cc_table_num(t, 0.25);
}

static void test_types(void)
{
    static const struct cc_col cols[] = {{"s", "name", CC_COL_STR},
                                         {"i", "int", CC_COL_INT},
                                         {"c", "count", CC_COL_COUNT},
                                         {"b", "bytes", CC_COL_BYTES},
                                         {"n", "num", CC_COL_NUM, 2},
                                         {"p", "share", CC_COL_PERCENT, 1},
                                         {"y", "yes", CC_COL_BOOL},
                                         {"l", "list", CC_COL_LIST},
                                         {"m", "map", CC_COL_MAP},
                                         {"u", NULL, CC_COL_INT},
                                         {NULL, "derived", CC_COL_PERCENT, 0}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    row_of_all_types(t);
    cc_table_row(t); /* all null */
    same(r, CC_FORMAT_TEXT, NULL,
         "name         int   count     bytes   num   share  yes  list       map       derived\n"
         "a     -1 234 567  1.50 M  2.00 KiB  0.12  50.0 %  yes  x, 7, 0.5  k 1, h -     25 %\n"
         "               -       -         -     -       -  -    -          -               -\n",
         "text: every type, and null");
    same_json(
        r,
        "{\"schema\":\"t\",\"version\":1,\"rows\":[{\"s\":\"a\",\"i\":-1234567,\"c\":1500000,\"b\":2048,"
        "\"n\":0.125,\"p\":0.5,\"y\":true,\"l\":[\"x\",7,0.5],\"m\":{\"k\":1,\"h\":null},"
        "\"u\":18446744073709551615},"
        "{\"s\":null,\"i\":null,\"c\":null,\"b\":null,\"n\":null,\"p\":null,\"y\":null,\"l\":null,\"m\":null,"
        "\"u\":null}]}",
        "JSON: every type, and null");
    same(r, CC_FORMAT_CSV, NULL,
         "s,i,c,b,n,p,y,l,m,u\n"
         "a,-1234567,1500000,2048,0.125,0.5,true,x;7;0.5,k 1;h ,18446744073709551615\n,,,,,,,,,\n",
         "CSV: every type, and null");
    cc_result_free(r);
}

static void test_numbers_in_integer_columns(void)
{
    static const struct cc_col cols[] = {{"t", "time", CC_COL_INT}, {"n", "num", CC_COL_NUM, 1}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    cc_table_row(t);
    cc_table_num(t, 12345.75);
    cc_table_u64(t, 3);
    cc_table_row(t);
    cc_table_num(t, -0.25);
    cc_table_num(t, NAN);
    same(r, CC_FORMAT_TEXT, NULL, "  time  num\n12 346  3.0\n     0    -\n", "text rounds, never to -0");
    same_json(r,
              "{\"schema\":\"t\",\"version\":1,\"rows\":[{\"t\":12345.75,\"n\":3},{\"t\":-0.25,\"n\":null}]}",
              "JSON keeps all digits");
    cc_result_free(r);
}

/* "a.b" makes objects; a row may lack a field, or a whole object may be null. */
static void test_same_titles(void)
{
    static const struct cc_col cols[] = {{"a", "load", CC_COL_INT},
                                         {NULL, "of mean", CC_COL_NUM, 2},
                                         {"b", "other", CC_COL_INT},
                                         {NULL, "of mean", CC_COL_NUM, 2}};
    struct cc_result *r = cc_result_new("x", 1);
    struct cc_table *t = cc_result_table(r, "loads", cols, CC_COUNT(cols));
    cc_table_row(t);
    cc_table_int(t, 1);
    cc_table_num(t, 0.5);
    cc_table_int(t, 2);
    cc_table_num(t, 1.5);
    same(r, CC_FORMAT_TEXT, NULL,
         "load  of mean  other  of mean\n"
         "   1     0.50      2     1.50\n",
         "two columns with one title stay two");
    cc_result_free(r);
}

static void test_objects_and_absent(void)
{
    static const struct cc_col cols[] = {{"name", "name", CC_COL_STR},   {"e.total", "energy", CC_COL_NUM, 1},
                                         {NULL, "half", CC_COL_NUM, 1},  {"e.part.a", NULL, CC_COL_NUM},
                                         {"e.part.b", NULL, CC_COL_NUM}, {"last", NULL, CC_COL_INT}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    cc_table_row(t);
    cc_table_str(t, "x");
    for (int i = 0; i < 4; i++)
        cc_table_num(t, i);
    cc_table_int(t, 9);
    cc_table_row(t);
    cc_table_str(t, "y");
    cc_table_no_object(t);
    cc_table_absent(t);
    cc_table_row(t);
    cc_table_str(t, "z");
    for (int i = 0; i < 5; i++)
        cc_table_absent(t);
    same_json(
        r,
        "{\"schema\":\"t\",\"version\":1,\"rows\":[{\"name\":\"x\",\"e\":{\"total\":0,\"part\":{\"a\":2,"
        "\"b\":3}},\"last\":9},{\"name\":\"y\",\"e\":null},{\"name\":\"z\"}]}",
        "JSON: objects from dotted keys, null objects, absent fields");
    same(r, CC_FORMAT_TEXT, NULL,
         "name  energy  half\nx        0.0   1.0\ny          -     -\nz             \n",
         "text: an absent field is empty");
    same(r, CC_FORMAT_CSV, NULL, "name,e.total,e.part.a,e.part.b,last\nx,0,2,3,9\ny,,,,\nz,,,,\n",
         "CSV: the keys as they are");
    cc_result_free(r);
}

static void test_show_and_rows(void)
{
    static const struct cc_col cols[] = {{"file", "where", CC_COL_STR}, {"n", "n", CC_COL_INT}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    for (int i = 0; i < 4; i++) {
        cc_table_row(t);
        cc_table_row_only(t, i == 2 ? CC_ROW_DATA : i == 3 ? CC_ROW_TEXT : CC_ROW_EVERYWHERE);
        cc_table_str(t, "/src/main.c");
        if (i != 1)
            cc_table_show(t, "main.c:%d", i);
        cc_table_int(t, i);
    }
    same(r, CC_FORMAT_TEXT, NULL, "where        n\nmain.c:0     0\n/src/main.c  1\nmain.c:3     3\n",
         "text: cells shown otherwise; a row only for data is not there");
    same(r, CC_FORMAT_CSV, NULL, "file,n\n/src/main.c,0\n/src/main.c,1\n/src/main.c,2\n",
         "CSV: cells as they are; a row only for text is not there");
    same_json(r,
              "{\"schema\":\"t\",\"version\":1,\"rows\":[{\"file\":\"/src/main.c\",\"n\":0},{\"file\":\"/src/"
              "main.c\",\"n\":1},{\"file\":\"/src/main.c\",\"n\":2}]}",
              "JSON: likewise");
    cc_result_free(r);
}

static void test_place(void)
{
    static const struct cc_col cols[] = {{"file", "where", CC_COL_STR}, {"line", NULL, CC_COL_INT}};
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    static const struct {
        const char *file;
        uint32_t line;
    } places[] = {{"/src/main.c", 12}, {"main.c", 0}, {"/lib/x.so", 0}, {NULL, 0}};
    for (size_t i = 0; i < CC_COUNT(places); i++) {
        cc_table_row(t);
        cc_table_place(t, places[i].file, places[i].line);
    }
    same(r, CC_FORMAT_TEXT, NULL, "where\nmain.c:12\nmain.c\nx.so\n\n", "text: a place in short");
    same(r, CC_FORMAT_CSV, NULL, "file,line\n/src/main.c,12\nmain.c,\n/lib/x.so,\n,\n",
         "CSV: the whole of it");
    cc_result_free(r);
}

static const struct cc_col item_cols[] = {
    {"function", "what", CC_COL_STR}, {"kind", "kind", CC_COL_STR}, {"share", "share", CC_COL_PERCENT, 0}};
static const struct cc_col pattern_cols[] = {
    {NULL, "what", CC_COL_STR, .tree = true},
    {"share", "share", CC_COL_PERCENT, 0},
    {"lost", "lost", CC_COL_INT},
    {"items", NULL, CC_COL_TABLE, .under = true, .sub = item_cols, .nsub = CC_COUNT(item_cols)},
    {"hidden", NULL, CC_COL_TABLE, .sub = item_cols, .nsub = CC_COUNT(item_cols)}};

static struct cc_result *patterns(bool filled)
{
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "patterns", pattern_cols, CC_COUNT(pattern_cols));
    for (int i = 0; filled && i < 2; i++) {
        cc_table_row(t);
        cc_table_str(t, i ? "second" : "first");
        cc_table_num(t, 0.5);
        cc_table_int(t, 10 + i);
        struct cc_table *sub = cc_table_sub(t);
        for (int k = 0; k <= i; k++) {
            cc_table_row(sub);
            cc_table_str(sub, k ? "g" : "f");
            cc_table_str(sub, "read");
            cc_table_num(sub, 0.25);
        }
        struct cc_table *hidden = cc_table_sub(t);
        if (i) {
            cc_table_row(hidden);
            cc_table_str(hidden, "say \"h\"");
        }
    }
    return r;
}

static void test_tables_in_tables(void)
{
    struct cc_result *r = patterns(true);
    same(r, CC_FORMAT_TEXT, NULL,
         "what    kind  share  lost\nfirst          50 %    10\n`-f     read   25 %  \n"
         "second         50 %    11\n|-f     read   25 %  \n`-g     read   25 %  \n",
         "text: rows under their row, columns joined by title");
    same_json(
        r,
        "{\"schema\":\"t\",\"version\":1,\"patterns\":[{\"share\":0.5,\"lost\":10,\"items\":[{\"function\":"
        "\"f\",\"kind\":\"read\",\"share\":0.25}],\"hidden\":[]},{\"share\":0.5,\"lost\":11,\"items\":[{"
        "\"function\":\"f\",\"kind\":\"read\",\"share\":0.25},{\"function\":\"g\",\"kind\":\"read\","
        "\"share\":"
        "0.25}],\"hidden\":[{\"function\":\"say \\\"h\\\"\",\"kind\":null,\"share\":null}]}]}",
        "JSON: arrays of objects in rows");
    same(r, CC_FORMAT_CSV, "patterns.items",
         "patterns.share,patterns.lost,function,kind,share\n0.5,10,f,read,0.25\n0.5,11,f,read,0.25\n"
         "0.5,11,g,read,0.25\n",
         "CSV: a table inside, with the row it lies in");
    same(r, CC_FORMAT_CSV, "patterns.hidden",
         "patterns.share,patterns.lost,function,kind,share\n0.5,11,\"say \"\"h\"\"\",,\n",
         "CSV: the other one");
    CC_CLEANUP(cc_free_ptr) char *outer = printed(r, CC_FORMAT_CSV, NULL);
    OK(strstr(outer, "0.5,10,\"[{\"\"function\"\":\"\"f\"\"") &&
           strstr(outer, "[{\"\"function\"\":\"\"say \\\"\"h\\\"\"\"\""),
       "CSV: tables inside a row are JSON in their field");
    OK(!printed(r, CC_FORMAT_CSV, "pattern"), "CSV: a table that is not there is refused");
    cc_result_free(r);
    r = patterns(false);
    same(r, CC_FORMAT_CSV, "patterns.items", "patterns.share,patterns.lost,function,kind,share\n",
         "CSV: no rows, the same heading");
    same(r, CC_FORMAT_TEXT, NULL, "", "text: an empty table prints nothing");
    same_json(r, "{\"schema\":\"t\",\"version\":1,\"patterns\":[]}",
              "JSON: an empty table is an empty array");
    cc_result_free(r);
}

static const struct cc_col node_cols[] = {{"name", "call tree", CC_COL_STR, .tree = true},
                                          {"calls", "calls", CC_COL_INT},
                                          {"children", NULL, CC_COL_CHILDREN}};
static const struct cc_col thread_cols[] = {
    {"tid", NULL, CC_COL_INT},
    {"root", NULL, CC_COL_RECORD, .under = true, .sub = node_cols, .nsub = CC_COUNT(node_cols)}};

static void test_trees(void)
{
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "threads", thread_cols, CC_COUNT(thread_cols));
    for (int i = 0; i < 2; i++) {
        cc_table_row(t);
        cc_table_int(t, 100 + i);
        struct cc_table *root = cc_table_sub(t);
        size_t at = cc_table_row(root);
        cc_table_str(root, i ? "other" : "main");
        cc_table_int(root, 1);
        for (int k = 0; k < 2 && !i; k++) {
            size_t child = cc_table_row_under(root, at);
            cc_table_str(root, k ? "g" : "f");
            cc_table_int(root, 2);
            cc_table_row_under(root, child);
            cc_table_str(root, "leaf");
        }
    }
    same(r, CC_FORMAT_TEXT, NULL,
         "call tree  calls\nmain           1\n|-f            2\n| `-leaf       -\n`-g            2\n  `-leaf "
         "      "
         "-\nother          1\n",
         "text: a tree");
    same_json(
        r,
        "{\"schema\":\"t\",\"version\":1,\"threads\":[{\"tid\":100,\"root\":{\"name\":\"main\",\"calls\":1,"
        "\"children\":[{\"name\":\"f\",\"calls\":2,\"children\":[{\"name\":\"leaf\",\"calls\":null,"
        "\"children\":[]}]},{\"name\":\"g\",\"calls\":2,\"children\":[{\"name\":\"leaf\",\"calls\":null,"
        "\"children\":[]}]}]}},{\"tid\":101,\"root\":{\"name\":\"other\",\"calls\":1,\"children\":[]}}]}",
        "JSON: children in their parents");
    same(r, CC_FORMAT_CSV, NULL,
         "threads.tid,name,calls,row,parent\n100,main,1,1,\n100,f,2,2,1\n100,leaf,,3,2\n100,g,2,4,1\n"
         "100,leaf,,5,4\n101,other,1,1,\n",
         "CSV: each row knows its parent");
    cc_result_free(r);
}

/* A chain as deep as a program's recursion may be: no printer may recurse along it. */
static void test_deep_tree(void)
{
    enum { DEEP = 200000 };
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "nodes", node_cols, CC_COUNT(node_cols));
    size_t at = SIZE_MAX;
    for (int i = 0; i < DEEP; i++) {
        at = cc_table_row_under(t, at);
        cc_table_str(t, "f");
    }
    CC_CLEANUP(cc_free_ptr) char *json = printed(r, CC_FORMAT_JSON, NULL);
    size_t opened = 0, closed = 0;
    for (const char *p = json; *p; p++) {
        opened += *p == '{';
        closed += *p == '}';
    }
    OK_U64(opened, DEEP + 1, "JSON of a chain of 200000 rows");
    OK_U64(closed, DEEP + 1, "is closed again");
    cc_result_free(r);
}

static const struct cc_col xy_cols[] = {{"x", "x", CC_COL_INT}, {"y", NULL, CC_COL_INT}};

static void put_fields(struct cc_result *r)
{
    cc_result_gap(r);
    cc_result_note(r, "%d cores", 4);
    cc_result_note(r, "second line");
    cc_result_str(r, "clock", "cycles");
    cc_result_u64_if(r, "unknown", false, 3);
    cc_result_obj(r, "exit");
    cc_result_i64(r, "code", -1);
    cc_result_bool(r, "ok", false);
    cc_result_num(r, "nan", NAN);
    cc_result_end(r);
    cc_result_arr(r, "cores");
    cc_result_u64(r, NULL, 1);
    cc_result_null(r, NULL);
    cc_result_end(r);
}

static void put_sections(struct cc_result *r)
{
    cc_result_arr(r, "scenarios");
    for (int i = 0; i < 2; i++) {
        cc_result_obj(r, NULL);
        cc_result_str(r, "name", i ? "two, or more" : "one");
        if (!i)
            cc_result_num(r, "extra", 1.5);
        cc_result_gap(r);
        cc_result_note(r, "scenario %d", i);
        struct cc_table *t = cc_result_table(r, "schedules", xy_cols, CC_COUNT(xy_cols));
        cc_table_row(t);
        cc_table_int(t, i);
        cc_table_int(t, 10 * i);
        cc_result_end(r);
    }
    cc_result_end(r);
}

static void put_rest(struct cc_result *r)
{
    static const struct cc_col shown[] = {{NULL, "only text", CC_COL_STR}};
    struct cc_table *total = cc_result_record(r, "total", xy_cols, CC_COUNT(xy_cols));
    cc_table_row(total);
    cc_table_int(total, 5);
    cc_result_table(r, "none", xy_cols, CC_COUNT(xy_cols)); /* nothing in it: leaves no empty line either */
    cc_result_fact(r, "order", "in %s", "turn");
    cc_result_fact(r, "größe", "7");
    cc_result_gap(r);
    struct cc_table *t = cc_result_table(r, NULL, shown, 1);
    cc_table_row(t);
    cc_table_str(t, "here");
    cc_result_gap(r);
}

static void test_document(void)
{
    struct cc_result *r = cc_result_new("t", 2);
    put_fields(r);
    put_sections(r);
    put_rest(r);
    same(
        r, CC_FORMAT_TEXT, NULL,
        "4 cores\nsecond line\n\nscenario 0\n\nx\n0\n\nscenario 1\n\nx\n1\n\n  order  in turn\n  größe  7\n\n"
        "only text\nhere\n",
        "text: sentences, facts and tables, one empty line between them");
    same_json(
        r,
        "{\"schema\":\"t\",\"version\":2,\"clock\":\"cycles\",\"unknown\":null,\"exit\":{\"code\":-1,\"ok\":"
        "false,\"nan\":null},\"cores\":[1,null],\"scenarios\":[{\"name\":\"one\",\"extra\":1.5,\"schedules\":"
        "[{"
        "\"x\":0,\"y\":0}]},{\"name\":\"two, or "
        "more\",\"schedules\":[{\"x\":1,\"y\":10}]}],\"total\":{\"x\":5,"
        "\"y\":null},\"none\":[]}",
        "JSON: the document in order");
    same(r, CC_FORMAT_CSV, NULL, "scenarios.name,scenarios.extra,x,y\none,1.5,0,0\n\"two, or more\",,1,10\n",
         "CSV: a table in an array is one, each row with the fields of its element");
    same(r, CC_FORMAT_CSV, "fields",
         "field,value\nschema,t\nversion,2\nclock,cycles\nunknown,\nexit.code,-1\nexit.ok,false\nexit.nan,\n",
         "CSV: the fields");
    cc_result_free(r);
}

static void test_facts(void)
{
    struct cc_result *r = cc_result_new("t", 1);
    cc_result_fact(r, "a", "1");
    cc_result_obj(r, "b");
    cc_result_num(r, "low", 1);
    cc_result_end(r);
    cc_result_fact(r, "longer", "2");
    cc_result_gap(r);
    cc_result_fact(r, "c", "3");
    same(r, CC_FORMAT_TEXT, NULL, "  a       1\n  longer  2\n\n  c  3\n",
         "text: facts line up across fields, blocks of them on their own");
    cc_result_free(r);
    r = cc_result_new("t", 1);
    cc_result_note(r, "nothing to show");
    same(r, CC_FORMAT_CSV, NULL, "field,value\nschema,t\nversion,1\n", "CSV: no table, the fields");
    cc_result_free(r);
}

static void test_chain(void)
{
    const char *pieces[30] = {"path: "};
    for (int i = 1; i < 30; i++)
        pieces[i] = i < 29 ? "a name -> " : "end\n";
    struct cc_result *r = cc_result_new("t", 1);
    cc_result_chain(r, pieces, 30);
    cc_result_chain(r, pieces, 2);
    /* 100 columns: "path: " and 9 of 10, less the last space; 4 and 9 of 10; 4 and 9; what is left */
    struct cc_buf want = {0};
    for (int i = 0; i < 29; i++) {
        if (i == 0 || i == 9 || i == 18 || i == 27)
            cc_buf_puts(&want, i ? "\n    " : "path: ");
        cc_buf_puts(&want, i == 28                        ? "end\\x0a\n"
                           : i == 8 || i == 17 || i == 26 ? "a name ->"
                                                          : "a name -> ");
    }
    cc_buf_puts(&want, "path: a name ->\n");
    same(r, CC_FORMAT_TEXT, NULL, want.s, "text: a long chain goes on in the next line, indented");
    cc_buf_fini(&want);
    cc_result_free(r);
}

static void test_hostile(void)
{
    static const struct cc_col cols[] = {{"name", "name", CC_COL_STR}, {"list", "list", CC_COL_LIST}};
    static const char bad[] = "a\x1b[2J\n\"b\",\xff\\";
    struct cc_result *r = cc_result_new("t", 1);
    cc_result_note(r, "%s", bad);
    cc_result_fact(r, bad, "%s", bad);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    cc_table_row(t);
    cc_table_str(t, bad);
    cc_table_list(t);
    cc_table_str(t, bad);
    cc_table_end(t);
    CC_CLEANUP(cc_free_ptr) char *text = printed(r, CC_FORMAT_TEXT, NULL);
    OK(!strchr(text, 0x1b) && !strchr(text, (char)0xff), "text: nothing a terminal obeys");
    OK(strncmp(text, "a\\x1b[2J\\x0a\"b\",\\xff\\\n  a\\x1b", 26) == 0,
       "text: a note is one line whatever is in it");
    CC_CLEANUP(cc_free_ptr) char *json = printed(r, CC_FORMAT_JSON, NULL);
    OK(strstr(json, "\"name\": \"a\\u001b[2J\\u000a\\\"b\\\",\\\\xff\\\\\""), "JSON: escaped");
    same(r, CC_FORMAT_CSV, NULL,
         "name,list\n\"a\\x1b[2J\\x0a\"\"b\"\",\\xff\\\",\"a\\x1b[2J\\x0a\"\"b\"\",\\xff\\\"\n",
         "CSV: quoted");
    cc_result_free(r);
}

/* Each column is in JSON and CSV, and in text exactly if it has a title, unless it is declared for text only.
 */
static void test_every_column(void)
{
    enum { N = 24 };
    struct cc_col cols[N];
    char names[N][8], titles[N][8];
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "k%02d", i);
        snprintf(titles[i], sizeof titles[i], "t%02d", i);
        cols[i] = (struct cc_col){i % 3 == 2 ? NULL : names[i], i % 3 == 1 ? NULL : titles[i],
                                  (enum cc_col_type)(i % (CC_COL_MAP + 1))};
    }
    struct cc_result *r = cc_result_new("t", 1);
    cc_table_row(cc_result_table(r, "rows", cols, N));
    memset(cols, 0, sizeof cols); /* they are the result's own */
    CC_CLEANUP(cc_free_ptr) char *text = printed(r, CC_FORMAT_TEXT, NULL);
    CC_CLEANUP(cc_free_ptr) char *json = printed(r, CC_FORMAT_JSON, NULL);
    CC_CLEANUP(cc_free_ptr) char *csv = printed(r, CC_FORMAT_CSV, NULL);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        wrong += !strstr(text, titles[i]) != (i % 3 == 1);
        wrong += !strstr(json, names[i]) != (i % 3 == 2);
        wrong += !strstr(csv, names[i]) != (i % 3 == 2);
        wrong += strstr(json, titles[i]) != NULL || strstr(text, names[i]) != NULL;
    }
    OK_U64(wrong, 0, "columns are where their description says");
    cc_result_free(r);
}

static long resident_kb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { MOST_MB = 1024 }; /* it keeps what is freed for a while */
#define KEEPS_FREED
#endif
#endif
#ifndef KEEPS_FREED
enum { MOST_MB = 320 };
#endif

static void test_memory(void)
{
    const int rows = tap_percent() < 100 ? tap_rounds(1000000) : 1000000;
    static const struct cc_col cols[] = {{"name", "name", CC_COL_STR}, {"a", "a", CC_COL_INT},
                                         {"b", "b", CC_COL_INT},       {"c", "c", CC_COL_NUM},
                                         {"d", "d", CC_COL_BYTES},     {"e", "e", CC_COL_PERCENT}};
    long before = resident_kb();
    struct cc_result *r = cc_result_new("t", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, CC_COUNT(cols));
    for (int i = 0; i < rows; i++) {
        cc_table_row(t);
        cc_table_str(t, i % 1000 < 500 ? "function" : "another");
        cc_table_int(t, i);
        cc_table_int(t, i);
        cc_table_num(t, i);
        cc_table_u64(t, 1);
        cc_table_num(t, 0.5);
    }
    FILE *out = fopen("/dev/null", "we");
    struct cc_err err = {0};
    cc_result_print(r, CC_FORMAT_CSV, NULL, out, &err);
    cc_result_print(r, CC_FORMAT_JSON, NULL, out, &err);
    fclose(out);
    long used = (resident_kb() - before) / 1024;
    /* 6 cells of 16 bytes and 8 for the row: 100 MB; vectors grow by doubling. */
    OK(used < MOST_MB, "%d rows of 6 cells, printed, within %d MB (used %ld)", rows, MOST_MB, used);
    struct cc_cell last = cc_table_cell(t, (size_t)rows - 1, 1);
    OK(cc_table_rows(t) == (size_t)rows && last.kind == CC_CELL_I64 && last.i == rows - 1, "cells read back");
    cc_result_free(r);
}

int main(void)
{
    test_memory(); /* first: it compares the largest size so far */
    test_types();
    test_numbers_in_integer_columns();
    test_same_titles();
    test_objects_and_absent();
    test_show_and_rows();
    test_place();
    test_tables_in_tables();
    test_trees();
    test_deep_tree();
    test_document();
    test_facts();
    test_chain();
    test_hostile();
    test_every_column();
    test_wrap();
    return TAP_DONE();
}
