/* A JSON parser: makes a document, parses it into a tree of nodes, walks it, frees it.   json [OBJECTS] */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { JSON_NULL, JSON_TRUE, JSON_FALSE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct node {
    enum kind kind;
    char *name, *text; /* owned */
    double number;
    struct node *first, *next;
};

struct parser {
    const char *at;
    int depth;
};

static struct node *parse_value(struct parser *p);

static void skip_space(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static char *parse_string(struct parser *p)
{
    const char *end = ++p->at;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    char *text = malloc((size_t)(end - p->at) + 1), *to = text;
    if (!text)
        exit(1);
    for (; p->at < end; p->at++) {
        if (*p->at == '\\') {
            p->at++;
            *to++ = *p->at == 'n' ? '\n' : *p->at == 't' ? '\t' : *p->at;
        } else {
            *to++ = *p->at;
        }
    }
    *to = 0;
    p->at = *end ? end + 1 : end;
    return text;
}

static double parse_number(struct parser *p)
{
    double sign = 1, v = 0, scale = 1;
    if (*p->at == '-') {
        sign = -1;
        p->at++;
    }
    for (; isdigit((unsigned char)*p->at); p->at++)
        v = v * 10 + (*p->at - '0');
    if (*p->at == '.')
        for (p->at++; isdigit((unsigned char)*p->at); p->at++)
            v += (*p->at - '0') * (scale /= 10);
    return sign * v;
}

static void parse_members(struct parser *p, struct node *parent, char close, int named)
{
    struct node **tail = &parent->first;
    p->at++;
    p->depth++;
    for (skip_space(p); *p->at && *p->at != close; skip_space(p)) {
        char *name = NULL;
        if (named) {
            name = parse_string(p);
            skip_space(p);
            p->at += *p->at == ':';
        }
        *tail = parse_value(p);
        (*tail)->name = name;
        tail = &(*tail)->next;
        skip_space(p);
        p->at += *p->at == ',';
    }
    p->at += *p->at != 0;
    p->depth--;
}

static struct node *parse_value(struct parser *p)
{
    struct node *n = calloc(1, sizeof *n);
    if (!n)
        exit(1);
    skip_space(p);
    switch (*p->at) {
    case '{':
        n->kind = JSON_OBJECT;
        parse_members(p, n, '}', 1);
        break;
    case '[':
        n->kind = JSON_ARRAY;
        parse_members(p, n, ']', 0);
        break;
    case '"':
        n->kind = JSON_STRING;
        n->text = parse_string(p);
        break;
    case 't':
        n->kind = JSON_TRUE;
        p->at += 4;
        break;
    case 'f':
        n->kind = JSON_FALSE;
        p->at += 5;
        break;
    case 'n':
        p->at += 4;
        break;
    default:
        n->kind = JSON_NUMBER;
        n->number = parse_number(p);
    }
    return n;
}

static double sum_of(const struct node *n)
{
    double sum = n->kind == JSON_NUMBER   ? n->number
                 : n->kind == JSON_STRING ? (double)strlen(n->text)
                                          : n->kind == JSON_TRUE;
    for (const struct node *m = n->first; m; m = m->next)
        sum += sum_of(m);
    return sum;
}

static void release(struct node *n)
{
    while (n) {
        struct node *next = n->next;
        release(n->first);
        free(n->name);
        free(n->text);
        free(n);
        n = next;
    }
}

static char *make_text(long objects)
{
    char *text = malloc((size_t)objects * 160 + 16), *p = text;
    if (!text)
        exit(1);
    p += sprintf(p, "[\n");
    for (long i = 0; i < objects; i++)
        p += sprintf(p,
                     "  {\"id\": %ld, \"name\": \"item \\\"%ld\\\"\\n\", \"price\": %ld.%02ld, \"tags\": "
                     "[\"a%ld\", \"b\", null], \"stock\": %s},\n",
                     i, i * 31 % 1000, i % 500, i % 100, i % 7, i % 3 ? "true" : "false");
    strcpy(p, "  null\n]\n");
    return text;
}

int main(int argc, char **argv)
{
    long objects = argc > 1 ? strtol(argv[1], NULL, 10) : 20000;
    char *text = make_text(objects);
    struct parser p = {text, 0};
    struct node *root = parse_value(&p);
    printf("%.2f\n", sum_of(root));
    release(root);
    free(text);
    return 0;
}
