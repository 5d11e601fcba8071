#include "lazy.h"

#include <dlfcn.h>
#include <pthread.h>

void *cc_lazy_find(struct cc_lazy *library, const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    for (const char *const *n = library->names; *n && !library->handle; n++)
        library->handle = dlopen(*n, RTLD_NOW | RTLD_LOCAL);
    void *found = library->handle ? dlsym(library->handle, name) : NULL;
    pthread_mutex_unlock(&lock);
    return found;
}
