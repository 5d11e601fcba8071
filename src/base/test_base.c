#include "base/arena.h"
#include "base/ini.h"
#include "base/json.h"
#include "base/map.h"
#include "base/result.h"
#include "base/text.h"
#include "rng.h"
#include "tap.h"

static void test_parse(void)
{
    int64_t i;
    uint64_t u;
    double d;
    OK(cc_parse_i64("-12", &i) && i == -12, "signed number");
    OK(!cc_parse_i64("12x", &i) && !cc_parse_i64("", &i), "trailing text and empty text are no numbers");
    OK(!cc_parse_i64("9223372036854775808", &i), "overflow is refused");
    OK(cc_parse_u64("64k", &u) && u == 65536, "k is 1024");
    OK(cc_parse_u64("0x10", &u) && u == 16, "hexadecimal");
    OK(!cc_parse_u64("-1", &u) && !cc_parse_u64("99999999999G", &u),
       "negative and overflowing sizes are refused");
    OK(cc_parse_f64("1e3", &d) && d == 1000 && !cc_parse_f64("nan", &d) && !cc_parse_f64("inf", &d),
       "finite numbers only");
    const char *names[] = {"platform", "scenario", "cores"};
    OK_STR(cc_nearest("platfrom", names, 3), "platform", "nearest name");
    OK(!cc_nearest("zzz", names, 3), "nothing near");
    char h[24];
    OK_STR(cc_human_bytes(1536, h), "1.50 KiB", "bytes for people");
    OK_STR(cc_human_count(999, h), "999", "small counts stay whole");
    OK_STR(cc_human_count(999999, h), "1.00 M", "rounding goes up to the next unit");
}

static void test_first(void)
{
    static const int v[] = {1, 3, 3, 7};
    size_t i, wrong = 0;
    for (int key = 0; key < 9; key++) {
        size_t by_hand = 0;
        while (by_hand < CC_COUNT(v) && v[by_hand] < key)
            by_hand++;
        CC_FIRST(i, CC_COUNT(v), v[i] >= key);
        wrong += i != by_hand;
    }
    CC_FIRST(i, 0, v[i] > 0);
    OK(!wrong && i == 0, "the first that holds, also of none");
}

static void test_text(void)
{
    char line[] = "a\t\tb\tc", *fields[3];
    OK(cc_text_split(line, '\t', fields, 3) == 3 && strcmp(fields[0], "a") == 0 && !*fields[1] &&
           strcmp(fields[2], "b") == 0,
       "fields of a line, empty ones too, and no more than there is room for");
    OK_STR(cc_text_base("a/b.c"), "b.c", "what a path ends in");
    OK_STR(cc_text_base("b.c"), "b.c", "a path without a slash");
    OK_STR(cc_text_base("a/"), "a/", "a path that ends in a slash stays");
    OK(!cc_text_base(NULL), "no path");
    OK(cc_text_same_file("a/b.c", "/x/a/b.c") && cc_text_same_file("./b.c", "a/b.c"),
       "one file, from another folder");
    OK(!cc_text_same_file("b.c", "ab.c") && !cc_text_same_file("a/b.c", "xa/b.c") &&
           !cc_text_same_file("b.c", NULL),
       "names that end alike are not one file");
    char *s = cc_text_safe("a\x1b[31m\xff\xc3\xa9");
    OK_STR(s, "a\\x1b[31m\\xff\xc3\xa9", "control characters and bad UTF-8 are escaped, good UTF-8 stays");
    free(s);
    struct cc_buf b = {0};
    cc_text_xml(&b, "<a&\"b'>");
    OK_STR(b.s, "&lt;a&amp;&quot;b&#39;&gt;", "xml");
    cc_buf_fini(&b);
    cc_text_dot(&b, "a\"b\\");
    OK_STR(b.s, "a\\\"b\\\\", "dot");
    cc_buf_fini(&b);
    cc_text_shell(&b, "./a-b.c");
    cc_text_shell(&b, "");
    cc_text_shell(&b, "it's;$x");
    OK_STR(b.s,
           "./a-b.c''"
           "'it'\\''s;$x'",
           "words of a shell, quoted where they must be");
    cc_buf_fini(&b);
    cc_text_csv(&b, "a,\"b\"");
    OK_STR(b.s, "\"a,\"\"b\"\"\"", "csv");
    cc_buf_fini(&b);
    OK(cc_utf8_length("\xed\xa0\x80") == 0 && cc_utf8_length("\xc0\x80") == 0,
       "surrogates and overlong forms are not UTF-8");
}

static void test_json(void)
{
    char *data = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&data, &size);
    struct cc_json j;
    cc_json_document(&j, f, "x", 1);
    cc_json_str(&j, "a", "q\"\n\xff");
    cc_json_num(&j, "n", 0.1);
    cc_json_num(&j, "inf", 1.0 / 0.0);
    cc_json_arr(&j, "e");
    cc_json_end(&j);
    cc_json_end(&j);
    fclose(f);
    OK_STR(data,
           "{\n  \"schema\": \"x\",\n  \"version\": 1,\n  \"a\": \"q\\\"\\u000a\\\\xff\",\n  \"n\": 0.1,\n  "
           "\"inf\": null,\n  \"e\": []\n}\n",
           "json document");
    free(data);
    static const struct {
        double v;
        const char *text;
    } numbers[] = {
        {2073600, "2073600"}, {-12, "-12"}, {1e15, "1e+15"}, {0.1, "0.1"}, {1 / 3., "0.3333333333333333"}};
    char text[40];
    for (size_t i = 0; i < CC_COUNT(numbers); i++)
        OK_STR(cc_json_number(numbers[i].v, text), numbers[i].text, "the number %s", numbers[i].text);
}

/* The shortest text by trying all lengths, for random bits, random decimals and sums of few of them. */
static void test_numbers(void)
{
    struct cc_rng rng = {19};
    size_t same = 0, n = 3000;
    char text[40], want[40];
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = cc_rng_next(&rng);
        double v = (double)(int64_t)cc_rng_below(&rng, 100000000) / pow(10, (double)cc_rng_below(&rng, 12));
        if (i % 3 == 0)
            memcpy(&v, &bits, sizeof v);
        if (i % 3 == 1)
            v = sqrt(v) - 50;
        if (!isfinite(v))
            v = -0.0;
        if (v == rint(v) && fabs(v) < 1e15)
            snprintf(want, sizeof want, "%.0f", v);
        else
            for (int digits = 6; digits <= 17 && (digits == 6 || strtod(want, NULL) != v); digits++)
                snprintf(want, sizeof want, "%.*g", digits, v);
        same += strcmp(cc_json_number(v, text), want) == 0;
    }
    OK_U64(same, n, "numbers are the shortest text that is read as the same");
}

static void test_map(void)
{
    struct cc_map m = {0};
    bool fresh;
    for (uint64_t k = 0; k < 10000; k++)
        *cc_map_put(&m, k * 0x10001, &fresh) = k;
    size_t right = 0;
    for (uint64_t k = 0; k < 10000; k++)
        right += *cc_map_get(&m, k * 0x10001) == k;
    OK_U64(right, 10000, "map finds what was put");
    OK(!cc_map_get(&m, 5), "and nothing else");
    cc_map_put(&m, 0, &fresh);
    OK(!fresh && m.n == 10000, "a key is put once");
    cc_map_fini(&m);
    struct cc_strmap s = {0};
    *cc_strmap_put(&s, "a", &fresh) = 1;
    *cc_strmap_put(&s, "b", NULL) = 2;
    OK(fresh && *cc_strmap_get(&s, "a") == 1 && *cc_strmap_get(&s, "b") == 2 && !cc_strmap_get(&s, "c"),
       "string map");
    cc_strmap_fini(&s);
}

static void ini_error(const char *text, unsigned line, const char *part)
{
    struct cc_ini *ini = NULL;
    struct cc_err err = {0};
    int rc = cc_ini_parse("f.ini", text, strlen(text), &ini, &err);
    OK(rc == -CC_EINPUT && err.line == line && strstr(err.msg, part), "ini: %s at line %u", part, line);
}

static void test_ini(void)
{
    const char *text = "# c\n[a]\nx = 1 ; one\ny=\"two # no\"\n[b.c]\nz = a#b\n";
    struct cc_ini *ini;
    struct cc_err err = {0};
    OK(cc_ini_parse("f", text, strlen(text), &ini, &err) == 0, "ini parses");
    const struct cc_ini_section *a = cc_ini_section(ini, "a");
    OK_STR(cc_ini_key(a, "x")->value, "1", "comment after a value is cut");
    OK_U64(cc_ini_key(a, "x")->line, 3, "line of a key");
    OK_STR(cc_ini_key(cc_ini_section(ini, "b.c"), "z")->value, "a#b", "# inside a word is no comment");
    cc_ini_free(ini);
    ini_error("[a]\nx\n", 2, "expected 'key = value'");
    ini_error("x=1\n", 1, "outside any section");
    ini_error("[a]\n[a]\n", 2, "twice");
    ini_error("[a]\nx=1\nx=2\n", 3, "twice");
    ini_error("[a\n", 1, "unfinished");
}

static void test_table(void)
{
    static const struct cc_col cols[] = {
        {.key = "name", .title = "name", .type = CC_COL_STR},
        {.key = "n", .title = "count", .type = CC_COL_INT},
        {.key = "share", .title = "share", .type = CC_COL_PERCENT, .digits = 1}};
    struct cc_result *r = cc_result_new("x", 1);
    struct cc_table *t = cc_result_table(r, "rows", cols, 3);
    struct cc_err err = {0};
    cc_table_row(t);
    cc_table_str(t, "f,g");
    cc_table_int(t, 1234567);
    cc_table_num(t, 0.125);
    cc_table_row(t);
    cc_table_str(t, "h");
    cc_table_null(t);
    char *data = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&data, &size);
    OK(cc_result_print(r, CC_FORMAT_CSV, NULL, f, &err) == 0, "a table prints");
    fclose(f);
    OK_STR(data, "name,n,share\n\"f,g\",1234567,0.125\nh,,\n", "table as csv");
    free(data);
    cc_result_free(r);
}

static void test_short_functions(void)
{
    static const struct {
        const char *name, *shown;
    } names[] = {
        {"main", "main"},
        {"blur(unsigned char const*, int)", "blur"},
        {"Box<int, std::vector<int> >::add(int)", "Box<>::add"},
        {"imaging::detail::BasicImage<unsigned char>::operator()(int) const", "…::operator()"},
        {"a::operator<(b const&)", "a::operator<"},
        {"(anonymous namespace)::f(int)", "(anonymous)::f"},
        {"some_very_long_name_of_a_function_in_c", "some_very_long_name_of_a_function_in_c"},
        {"f<", "f<>"},
        {"", ""},
    };
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        CC_CLEANUP(cc_free_ptr) char *shown = cc_text_short_function(names[i].name, 20);
        OK_STR(shown, names[i].shown, "'%s' in a column", names[i].name);
        OK(cc_text_stands_for(shown, names[i].name), "which stands for it");
    }
    OK(!cc_text_stands_for("Box<>::add", "Box<int>::adds(int)") &&
           !cc_text_stands_for("Box<>::add", "Box::add") && !cc_text_stands_for("…::add", "sum(int)") &&
           !cc_text_stands_for("blur", "a::blur"),
       "and not for another");
}

/* Names of C++ in a table: no wider than it takes to tell them, and nothing else is touched. */
static void test_brief(void)
{
    static const struct {
        const char *name, *shown;
    } names[] = {
        {"std::vector<int>::at(unsigned long)", "std::vector<int>::at(unsigned long)"},
        {"std::vector<std::pair<int, std::vector<double> > >::at(unsigned long)",
         "std::vector<std::pair<…> >::at(unsigned long)"},
        {"std::map<std::string, std::vector<double, std::allocator<double> > >::operator[](std::string "
         "const&)",
         "std::map<…>::operator[](…)"},
        {"std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*) [clone "
         ".isra.0]",
         "std::ostream& std::operator<< <…>(…) [clone .isra.0]"},
        {"(anonymous namespace)::a_rather_long_name_of_a_thing::operator()(int, int, int) const",
         "(anonymous namespace)::a_rather_long_name_of_a_thing::operator()(…) const"},
        {"a_function_without_any_parameters_but_with_a_very_long_name()",
         "a_function_without_any_parameters_but_with_a_very_long_name()"},
        {"a sentence (with brackets that hold a good part of what it says) is left",
         "a sentence (with brackets that hold a good part of what it says) is left"},
        {"<runtime> and whatever else there is in this long list of functions",
         "<runtime> and whatever else there is in this long list of functions"},
        {"f<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<",
         "f<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<<"},
        {"f>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)",
         "f>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)>)"},
        {"", ""},
    };
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        CC_CLEANUP(cc_free_ptr) char *shown = cc_text_brief(names[i].name, 50);
        OK_STR(shown, names[i].shown, "'%s' in brief", names[i].name);
    }
}

static void test_listed(void)
{
    OK(cc_text_listed(" lut ff ", "FF") && cc_text_listed(" lut ff ", "lut"), "a word of a list");
    OK(!cc_text_listed(" lut ff ", "f") && !cc_text_listed(" lut ff ", "lut ff") &&
           !cc_text_listed(" lut ff ", ""),
       "not a part of one, nor two, nor none");
}

int main(void)
{
    test_short_functions();
    test_brief();
    test_parse();
    test_first();
    test_text();
    test_json();
    test_numbers();
    test_map();
    test_ini();
    test_table();
    test_listed();
    return TAP_DONE();
}
