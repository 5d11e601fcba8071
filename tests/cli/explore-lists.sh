#!/bin/sh
# Loops from element to element: one thread walks, iterations are tasks; not where the body changes the way.
. "$(dirname "$0")/lib.sh"
cat >lists.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
    int key, kind;
    double value;
    struct item *next;
};
static double spent;
static int large;
static double weigh(const struct item *x)
{
    double s = 0;
    for (int k = 1; k < 300 + x->key; k++)
        s += 1.0 / (k + x->key);
    return s;
}
static void drop(struct item *x)
{
    while (x->next && x->next->key < 10)
        x->next = x->next->next;
}
static void each(struct item *head)
{
    for (struct item *p = head; p; p = p->next)
        p->value = weigh(p);
}
static void sums(struct item *head)
{
    struct item *p;
    double w;
    for (p = head; p != NULL; p = p->next) {
        w = weigh(p);
        spent += w;
        if (p->key > 500) {
            large++;
        }
    }
    if (p)
        abort();
}
static void turning(struct item *head)
{
    struct item *p = head;
    double w;
    while (p != NULL) {
        w = weigh(p);
        p->value += w;
        p = p->next;
    }
}
static void beside(struct item *head)
{
    struct item *p = head;
    while (p) {
        p->value -= 2 * weigh(p); p = p->next;
    }
}
static void skipping(struct item *head)
{
    struct item *p = head;
    while (p) {
        p->value += weigh(p);
        if (p->kind % 3 == 0 && p->next)
            p = p->next;
        p = p->next;
    }
}
static void meeting(struct item *head)
{
    struct item *p = head;
    while (p) {
        p->value += weigh(p);
        if (p->next)
            p->next->value += p->value / 2;
        p = p->next;
    }
}
static void dropping(struct item *head)
{
    for (struct item *p = head; p; p = p->next) {
        p->value += weigh(p);
        drop(p);
    }
}
static void copying(struct item *head, const struct item *from)
{
    for (struct item *p = head; p; p = p->next) {
        p->value += weigh(p);
        if (p->kind == 77)
            memcpy(p, from, sizeof *p);
    }
}
static void stopping(struct item *head)
{
    for (struct item *p = head; p; p = p->next) {
        p->value += weigh(p);
        if (p->kind == 77)
            break;
    }
}
static double chain(struct item *head)
{
    double last = 1;
    for (struct item *p = head; p; p = p->next) {
        last = last / 2 + weigh(p);
        p->value += last;
    }
    return last;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    struct item *head = NULL, other = {0};
    double all = 0;
    for (int i = 0; i < n; i++) {
        struct item *p = malloc(sizeof *p);
        *p = (struct item){20 + i * 379 % 1000, i, 0, head};
        head = p;
    }
    each(head);
    sums(head);
    turning(head);
    beside(head);
    skipping(head);
    meeting(head);
    dropping(head);
    copying(head, &other);
    stopping(head);
    all = chain(head);
    for (struct item *p = head; p; p = p->next)
        all += p->value;
    printf("%.6f %.6f %d\n", all, spent, large);
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
C
line() { grep -n "^static.* $1(" lists.c | head -1 | cut -d: -f1 | awk -v f="$1" '{print $1}'; }
walk() { awk -v from="$(line "$1")" 'NR > from && /(for|while) \(/ { print NR; exit }' lists.c; }
for level in -O1 -O2; do
    gcc $level -fno-inline -g -Wall -Wextra -o lists lists.c || exit 99
    "$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o lists.cast ./lists >want 2>err || { skip "lists" "there is no valgrind engine"; done_testing; exit; }
    cc explore lists.cast -p cortex-a53-quad --contention off --cores 1,4 --not weigh --json --patch lists.diff
    is "$(jq -r '[.plans[0].directives[] | select(.pragma == "#pragma omp parallel") | .line] | sort | join(" ")' "$WORK/out")" "$(walk each) $(walk sums) $(walk turning)" "$level: those that may be are walked"
    for f in beside skipping meeting dropping copying stopping chain; do
        is "$(jq -r --argjson l "$(walk $f)" '[.rejected[] | select(.line == $l)] | length' "$WORK/out")" 1 "$level: $f is not, and has one reason"
    done
    grep -q '^+ *#pragma omp task firstprivate(p) private(w)$' lists.diff
    ok $? "$level: what each iteration sets is the task's own"
    is "$(grep -c '^+ *#pragma omp atomic$' lists.diff)" 2 "$level: sums are atomic"
    jq -e '.plans[0].speedup[-1].speedup > 1.1' "$WORK/out" >/dev/null
    ok $? "$level: and that is worth it"
    mkdir -p patched && cp lists.c patched/ && (cd patched && patch -s -p1 <../lists.diff)
    ok $? "$level: the patch applies"
    for compiler in gcc clang; do
        $compiler -O2 -Wall -Wextra -Werror -fopenmp -o tasks patched/lists.c
        ok $? "$level: $compiler compiles it without a warning"
        gcc -O2 -o plain lists.c
        for n in 0 1 2 90; do
            ./plain $n >want
            for t in 1 2 5; do OMP_NUM_THREADS=$t ./tasks $n; done | sort -u >got
            is "$(cat got)" "$(cat want)" "$level: $compiler: $n elements, the same result"
        done
    done
done
cc explore lists.cast -p cortex-a53-quad --contention off --cores 1,4 --only each --only sums --only turning --verify --build 'gcc -O2 -g -fno-inline -fopenmp -o lists lists.c' --run './lists 30' --repeat 1
ok $? "the plan is proven"
grep -q 'plan 1 holds' "$WORK/out"
ok $? "and holds"

# clang gives the load that goes on no line, and the register no name
cat >tree.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct village {
    int seed, ill;
    struct village *next, *inner;
};
static struct village *found(int level, int seed)
{
    struct village *v = calloc(1, sizeof *v);
    v->seed = seed;
    for (int i = 0; level && i < 3; i++) {
        struct village *w = found(level - 1, seed * 3 + i);
        w->next = v->inner;
        v->inner = w;
    }
    return v;
}
static void live(struct village *v)
{
    struct village *w = v->inner;
    while (w) {
        live(w);
        w = w->next;
    }
    for (int i = 0; i < 20; i++)
        v->seed = v->seed * 1103515245 + 12345;
    for (w = v->inner; w; w = w->next)
        v->ill += w->ill;
    v->ill += v->seed >> 16 & 7;
}
int main(void)
{
    struct village *all = found(4, 1);
    for (int i = 0; i < 3; i++)
        live(all);
    printf("%d\n", all->ill);
    return 0;
}
C
for compiler in gcc clang; do
    $compiler -O2 -g -o tree tree.c
    cc record --loops dependences -o tree.cast -- ./tree
    cc report tree.cast --view loops --json
    said=$(jq -r '.loops[]|select(.function == "live" and .line == 21).sentence' "$WORK/out" | sort -u)
    case $said in *"w = w->next at line 23"*) true ;; *) false ;; esac
    ok $? "$compiler: what goes from element to element is named: $said"
done
done_testing
