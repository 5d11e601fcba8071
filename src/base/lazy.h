/* Libraries that few commands need are loaded when one of their functions is first called: linking them costs
 * every run of the tool the time to relocate them and their memory. A file beside the user of such a library
 * has a function with each name it uses, made by these macros, that passes the call on. */
#ifndef CC_BASE_LAZY_H
#define CC_BASE_LAZY_H

#include <string.h>

struct cc_lazy {
    const char *const *names; /* of the file, as dlopen takes them; the first that is there; ends with NULL */
    void *handle;
};

/* NULL if there is no such library or function. */
void *cc_lazy_find(struct cc_lazy *library, const char *name);

/* A looked-up address is kept as `void *`; threads that look it up at the same time find the same one. */
#define CC_LAZY_TARGET(library, name)                      \
    static _Atomic(void *) known;                          \
    __typeof__(name) *target;                              \
    void *address = known;                                 \
    if (!address)                                          \
        known = address = cc_lazy_find(&(library), #name); \
    memcpy(&target, &address, sizeof target)

/* `otherwise` is what it returns without the library. */
#define CC_LAZY(library, otherwise, type, name, params, args) \
    type name params                                          \
    {                                                         \
        CC_LAZY_TARGET(library, name);                        \
        return target ? target args : (otherwise);            \
    }

#define CC_LAZY_VOID(library, name, params, args) \
    void name params                              \
    {                                             \
        CC_LAZY_TARGET(library, name);            \
        if (target)                               \
            target args;                          \
    }

#endif
