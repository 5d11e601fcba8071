/* A regular-expression matcher: compiles patterns to small programs and runs them by backtracking over text.
 * regex [LINES] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum code { CHAR, ANY, SET, SPLIT, JUMP, MATCH };
struct instruction {
    enum code code;
    int x, y;           /* SPLIT: try x, then y; JUMP: x */
    unsigned char c;    /* CHAR */
    unsigned char *set; /* SET: 256 flags */
};
struct program {
    struct instruction code[256];
    int n;
};
struct compiler {
    const char *at;
    struct program *program;
};

static int emit(struct program *p, enum code code)
{
    p->code[p->n].code = code;
    return p->n++;
}

static void alternatives(struct compiler *c);

static void parse_set(struct compiler *c)
{
    struct instruction *i = &c->program->code[emit(c->program, SET)];
    i->set = calloc(1, 256);
    if (!i->set)
        exit(1);
    int negated = *c->at == '^';
    c->at += negated;
    for (; *c->at && *c->at != ']'; c->at++) {
        unsigned char from = (unsigned char)*c->at, to = from;
        if (c->at[1] == '-' && c->at[2] != ']') {
            to = (unsigned char)c->at[2];
            c->at += 2;
        }
        for (unsigned k = from; k <= to; k++)
            i->set[k] = 1;
    }
    c->at++;
    for (int k = 0; negated && k < 256; k++)
        i->set[k] = !i->set[k];
}

static void atom(struct compiler *c)
{
    char ch = *c->at++;
    if (ch == '(') {
        alternatives(c);
        c->at++;
    } else if (ch == '[') {
        parse_set(c);
    } else if (ch == '.') {
        emit(c->program, ANY);
    } else {
        c->program->code[emit(c->program, CHAR)].c = (unsigned char)(ch == '\\' ? *c->at++ : ch);
    }
}

/* Makes room for one instruction at `at`: jumps inside what moves are relative to it. */
static void insert(struct program *p, int at)
{
    memmove(&p->code[at + 1], &p->code[at], (size_t)(p->n - at) * sizeof *p->code);
    p->n++;
    for (int i = at + 1; i < p->n; i++)
        if (p->code[i].code == SPLIT || p->code[i].code == JUMP) {
            p->code[i].x += p->code[i].x >= at;
            p->code[i].y += p->code[i].y >= at;
        }
}

static void sequence(struct compiler *c)
{
    while (*c->at && *c->at != '|' && *c->at != ')') {
        int start = c->program->n;
        atom(c);
        struct program *p = c->program;
        if (*c->at == '*' || *c->at == '?') {
            int star = *c->at++ == '*';
            insert(p, start);
            if (star)
                p->code[emit(p, JUMP)].x = start;
            p->code[start] = (struct instruction){.code = SPLIT, .x = start + 1, .y = p->n};
        } else if (*c->at == '+') {
            c->at++;
            int i = emit(p, SPLIT);
            p->code[i].x = start;
            p->code[i].y = p->n;
        }
    }
}

static void alternatives(struct compiler *c)
{
    int start = c->program->n;
    sequence(c);
    if (*c->at != '|')
        return;
    c->at++;
    struct program *p = c->program;
    insert(p, start);
    int jump = emit(p, JUMP);
    p->code[start] = (struct instruction){.code = SPLIT, .x = start + 1, .y = p->n};
    alternatives(c);
    p->code[jump].x = p->n;
}

static int run(const struct program *p, int pc, const char *s)
{
    for (;;) {
        const struct instruction *i = &p->code[pc];
        switch (i->code) {
        case MATCH:
            return 1;
        case CHAR:
            if ((unsigned char)*s++ != i->c)
                return 0;
            pc++;
            break;
        case ANY:
            if (!*s++)
                return 0;
            pc++;
            break;
        case SET:
            if (!*s || !i->set[(unsigned char)*s++])
                return 0;
            pc++;
            break;
        case JUMP:
            pc = i->x;
            break;
        case SPLIT:
            if (run(p, i->x, s))
                return 1;
            pc = i->y;
            break;
        }
    }
}

static int search(const struct program *p, const char *s)
{
    for (;; s++) {
        if (run(p, 0, s))
            return 1;
        if (!*s)
            return 0;
    }
}

int main(int argc, char **argv)
{
    static const char *const patterns[] = {"[a-z]+@[a-z]+\\.(com|org)", "(ab|cd)*e+f?", "[0-9][0-9]*:[0-9]+",
                                           "x.*y.*z", "[^ ]+ing "};
    long lines = argc > 1 ? strtol(argv[1], NULL, 10) : 4000;
    long hits = 0;
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns; k++) {
        static struct program programs[8];
        struct compiler c = {patterns[k], &programs[k]};
        alternatives(&c);
        emit(&programs[k], MATCH);
        for (long i = 0; i < lines; i++) {
            char line[160];
            snprintf(line, sizeof line,
                     "line %ld: user%ld@host%ld.%s is sending xxyy%ld abcdcdab%s at %ld:%02ld", i, i % 13,
                     i % 7, i % 3 ? "org" : "net", i % 5, i % 4 ? "eef" : "z", i % 24, i % 60);
            hits += search(&programs[k], line);
        }
    }
    printf("%ld\n", hits);
    return 0;
}
