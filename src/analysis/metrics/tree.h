/* The syntax tree of one function, as plain arrays: what the metrics need of a libclang cursor tree.
 * Only tree.c, tree_functions.c, clang_unit.c and database.c know libclang. The source is preprocessed before
 * it is parsed, so every token has its own place in `text` and operators can be read from there (libclang 14
 * does not tell them). */
#ifndef CC_ANALYSIS_METRICS_TREE_H
#define CC_ANALYSIS_METRICS_TREE_H

#include "source.h"
#include "../../base/text.h"

enum cc_node_kind {
    CC_N_ABSENT, /* a part that is not there: for (;;) */
    /* statements */
    CC_N_COMPOUND,
    CC_N_IF,  /* cond, then, else */
    CC_N_FOR, /* init, cond, step, body; op 1: its counter is an iterator that gets to any element at once */
    CC_N_WHILE,  /* cond, body; op 1: a `for` over a range that does; of other ranges 2 */
    CC_N_DO,     /* body, cond */
    CC_N_SWITCH, /* cond, body */
    CC_N_CASE,   /* value (or values), statement last */
    CC_N_DEFAULT,
    CC_N_BREAK,
    CC_N_CONTINUE,
    CC_N_RETURN,
    CC_N_GOTO, /* decl: index of the label's name in the unit's label table, -1 computed */
    CC_N_LABEL,
    CC_N_NULL,
    CC_N_DECL, /* CC_N_VAR children */
    CC_N_ASM,
    /* declarations and expressions */
    CC_N_VAR,       /* decl; child: initialiser if any */
    CC_N_BINARY,    /* op; left, right */
    CC_N_ASSIGN,    /* op: CC_OP_NONE for '=' ; left, right */
    CC_N_UNARY,     /* op; operand */
    CC_N_SELECT,    /* ?: with three children, or two for the GNU form */
    CC_N_CALL,      /* decl: callee or -1; first child is the callee expression, then arguments */
    CC_N_REF,       /* decl */
    CC_N_MEMBER,    /* base; op CC_MEMBER_BITS: a bit-field */
    CC_N_SUBSCRIPT, /* base, index */
    CC_N_LITERAL,
    CC_N_CAST,      /* op 1: written by the programmer; operand */
    CC_N_INIT,      /* decl: the class that all of it is an object of, or -1 */
    CC_N_SIZEOF,    /* op 1: `value` is known */
    CC_N_STMT_EXPR, /* compound */
    CC_N_OTHER,     /* children are evaluated in order */
    CC_N_LAST,
};

enum cc_op {
    CC_OP_NONE,
    CC_OP_MUL,
    CC_OP_DIV,
    CC_OP_MOD,
    CC_OP_ADD,
    CC_OP_SUB,
    CC_OP_SHL,
    CC_OP_SHR,
    CC_OP_AND,
    CC_OP_OR,
    CC_OP_XOR,
    CC_OP_LT,
    CC_OP_GT,
    CC_OP_LE,
    CC_OP_GE,
    CC_OP_EQ,
    CC_OP_NE,
    CC_OP_LAND,
    CC_OP_LOR,
    CC_OP_COMMA,
    CC_OP_INC,
    CC_OP_DEC,
    CC_OP_NEG,
    CC_OP_PLUS,
    CC_OP_NOT,   /* ! */
    CC_OP_COMPL, /* ~ */
    CC_OP_DEREF,
    CC_OP_ADDR,
    CC_OP_OTHER, /* __real, __extension__, member pointers */
};

enum { CC_MEMBER_BITS = 1 };

enum cc_type_class { CC_T_NONE, CC_T_INT, CC_T_FLOAT, CC_T_POINTER, CC_T_ARRAY, CC_T_RECORD, CC_T_FUNCTION };

struct cc_ctype {
    uint8_t class;
    bool variable;    /* array whose size is not a constant */
    bool is_unsigned; /* of CC_T_INT */
    bool is_enum;     /* of CC_T_INT */
    uint64_t bits;    /* whole object; 0 unknown */
    uint64_t elements;
};

enum cc_decl_kind { CC_D_LOCAL, CC_D_STATIC, CC_D_PARAM, CC_D_GLOBAL, CC_D_FUNCTION, CC_D_OTHER };

struct cc_decl {
    const char *name;
    const char *usr; /* functions and classes only: unified symbol */
    uint8_t kind;
    uint32_t begin; /* bytes of the preprocessed text */
    bool in_system_header;
    bool member;    /* a variable that all objects of a class share */
    bool changes;   /* a method that may change its object */
    bool builds;    /* a constructor */
    bool several;   /* functions of one name, of which the types of a template tell one */
    bool replaced;  /* a virtual method: which one is called the object tells */
    bool constant;  /* an array whose elements nothing may change */
    bool reference; /* C++: another name for something */
    bool holds;     /* a variable in which, or in whose elements, there may be a pointer or a reference */
    bool refers;    /* the same, or a reference to what has no other name */
    bool own_array; /* a `std::array`, and no reference to one: its elements lie in it */
    bool has_value; /* enumeration constants, constant variables */
    bool goes_through_vector; /* an iterator of a `std::vector` */
    int64_t value;
    struct cc_ctype type;
};

#define CC_NODE_NONE UINT32_MAX

struct cc_tree_node {
    uint8_t kind, op;
    bool handed; /* an argument by reference, which whoever is called may change */
    bool lent;   /* one by a pointer to what may only be looked at */
    bool alert;  /* volatile: each access to it is seen by others */
    bool taken;  /* CC_N_REF: what it holds is taken, where it is does not matter */
    struct cc_ctype type;
    int32_t decl;         /* -1: none */
    uint32_t child, next; /* CC_NODE_NONE ends the list */
    uint32_t line;        /* of the source, not of the preprocessed text */
    uint32_t last_line;   /* the last that anything of it begins in */
    uint32_t begin, end;  /* bytes of the preprocessed text */
    int64_t value;        /* of CC_N_SIZEOF; of CC_N_MEMBER with a record: bits from its beginning */
    uint32_t record; /* of CC_N_MEMBER: another for each type; 0: unknown, or it shares bytes with others */
};

enum cc_token_kind { CC_TOK_PUNCTUATION, CC_TOK_KEYWORD, CC_TOK_IDENTIFIER, CC_TOK_LITERAL };

struct cc_token {
    uint32_t begin, end;
    uint8_t kind;
};

/* Things in the body that no node kind carries but a judgement on hardware needs. */
enum cc_trait {
    CC_TRAIT_VARIADIC,
    CC_TRAIT_NEW,    /* C++ new, delete */
    CC_TRAIT_THROW,  /* C++ try, throw */
    CC_TRAIT_LAMBDA, /* not handled */
    CC_TRAIT_COMPUTED_GOTO,
    CC_TRAIT_ASM,
    CC_TRAIT_COUNT,
};

struct cc_tree {
    const char *name, *usr, *file; /* file: as the preprocessor names it */
    unsigned line, last_line;
    const char *text; /* the whole preprocessed unit */
    struct cc_tree_node *nodes;
    size_t nnodes;
    const uint32_t
        *by_kind; /* nodes, kind after kind: who looks for a few in a large function has only those */
    uint32_t kind_begins[CC_N_LAST + 1];
    uint32_t body;
    bool lends;            /* it returns a reference */
    struct cc_decl *decls; /* parameters first */
    size_t ndecls, nparams;
    struct cc_token *tokens; /* of the body */
    size_t ntokens;
    unsigned trait_line[CC_TRAIT_COUNT]; /* 0: not there */
    struct cc_source_trips trips;        /* of its loops, by file and line */
    const char *refused;                 /* why it cannot be measured, NULL if it can */
    unsigned refused_line;
};

static inline const struct cc_tree_node *cc_tree_at(const struct cc_tree *t, uint32_t n)
{
    return &t->nodes[n];
}

/* Nodes of the kinds from one to another, as far as these follow each other in enum cc_node_kind. */
#define CC_TREE_EACH(t, i, from, to)                             \
    const uint32_t *i = &(t)->by_kind[(t)->kind_begins[(from)]]; \
    i < &(t)->by_kind[(t)->kind_begins[(to) + 1]];               \
    i++

/* Whether the text of a node lies in that of another. */
static inline bool cc_tree_holds(const struct cc_tree *t, uint32_t outer, uint32_t inner)
{
    return cc_tree_at(t, inner)->begin >= cc_tree_at(t, outer)->begin &&
           cc_tree_at(t, inner)->end <= cc_tree_at(t, outer)->end;
}

/* The child of that number, from 0; CC_NODE_NONE: there are fewer. */
static inline uint32_t cc_tree_part(const struct cc_tree *t, uint32_t n, int which)
{
    uint32_t c = cc_tree_at(t, n)->child;
    while (c != CC_NODE_NONE && which-- > 0)
        c = cc_tree_at(t, c)->next;
    return c;
}

/* What conversions and parentheses are around: `(long)(i)` is i. */
static inline uint32_t cc_tree_bare(const struct cc_tree *t, uint32_t n)
{
    while (n != CC_NODE_NONE &&
           (cc_tree_at(t, n)->kind == CC_N_CAST || cc_tree_at(t, n)->kind == CC_N_OTHER) &&
           cc_tree_at(t, n)->child != CC_NODE_NONE &&
           cc_tree_at(t, cc_tree_at(t, n)->child)->next == CC_NODE_NONE)
        n = cc_tree_at(t, n)->child;
    return n;
}

/* How often a variable is mentioned in n and below, as far as anything looks down. */
unsigned cc_tree_mentions(const struct cc_tree *t, uint32_t n, int32_t decl);

static inline bool cc_tree_is_loop(int kind)
{
    return kind == CC_N_FOR || kind == CC_N_WHILE || kind == CC_N_DO;
}

/* Parses `unit` and calls `each` for every function definition outside system headers, in source order; the
 * tree lives only during the call. Messages about the unit as a whole (errors outside functions) go to
 * `message`. Uses the calling thread's stack: run it on a large one. */
struct cc_tree_visitor {
    void (*each)(void *data, const struct cc_tree *tree);
    void (*message)(void *data, const char *file, unsigned line, const char *text);
    void *data;
    /* Also the bodies of functions that are refused as constructors or templates are, and, as trees without
     * lines by the names of classes, what making and ending an object does besides; elements have one form.
     */
    bool all;
};
int cc_tree_parse(const struct cc_source_unit *unit, const struct cc_tree_visitor *visitor,
                  struct cc_err *err);

/* The flags of `source` in DIR/compile_commands.json and the folder they hold in; strings are in the arena.
 * A source that the file does not list is an error. */
int cc_tree_database_flags(const char *dir, const char *source, struct cc_arena *arena, struct cc_strs *flags,
                           const char **ret_folder, struct cc_err *err);

#endif
