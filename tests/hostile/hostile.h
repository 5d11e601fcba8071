/* Programs that are hard to measure. Each is a function of a name; `work` is called a known number of times.
 */
#ifndef CC_TESTS_HOSTILE_H
#define CC_TESTS_HOSTILE_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
int work(int x);      /* counted here and by the engine */
void say_calls(void); /* what the main process has counted, as the last line of its output */
void die(const char *what) __attribute__((noreturn)); /* 99: the test itself cannot do what it wants */

struct kind {
    const char *name;
    int (*run)(void); /* the exit status */
};
extern const struct kind processes[], stacks[], memory[], limits[]; /* each ends with a name of NULL */

#endif
