/* Methods that find the element they write by more than a sum of what they get (scattered.c). */
#include "loops.h"

#include <array>
#include <vector>

#define ALONE static __attribute__((noinline))
struct table {
    int slots[2048];
    __attribute__((noinline)) void put(int k, int v) { slots[(unsigned)k * 40503u % 2048] = v; }
    __attribute__((noinline)) void set(int k, int v) { slots[k] = v; }
};
struct bag {
    std::vector<int> slots = std::vector<int>(2048);
    __attribute__((noinline)) void put(int k, int v) { slots[(unsigned)k * 40503u % 2048] = v; }
    __attribute__((noinline)) void put_at(int k, int v) { slots.at(k % 1021) = v; }
    __attribute__((noinline)) void set(int k, int v) { slots[k] = v; }
};
struct fixed {
    std::array<int, 2048> slots{};
    __attribute__((noinline)) void put(int k, int v) { slots[k & 1023] = v; }
};
static table one, many[64];
static bag b;
static fixed f;

ALONE void puts_one(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        one.put(i, i);
}
ALONE void sets_one(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        one.set(i, i);
}
ALONE void puts_many(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        many[i].put(i, i);
}
ALONE void puts_bag(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        b.put(i, i);
}
ALONE void puts_bag_at(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        b.put_at(i, i + 1);
}
ALONE void sets_bag(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        b.set(i, i);
}
ALONE void puts_fixed(int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        f.put(i, i);
}
ALONE void puts_by_pointer(table *t, int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        t->put(i, i + 3);
}
ALONE void puts_by_reference(bag &t, int n)
{
    for (int i = 0; i < n; i++) /* loop: input */
        t.put(i, i + 3);
}
ALONE void of_its_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        bag own;
        own.put(i, i);
        one.slots[i] += own.slots[i & 3];
    }
}
ALONE void collides(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        b.put_at(i / 2, i);
}

int main()
{
    int n = N / 4;
    puts_one(n), sets_one(n), puts_many(n / 4), puts_bag(n), puts_bag_at(n), sets_bag(n), puts_fixed(n);
    puts_by_pointer(&one, n), puts_by_reference(b, n), of_its_own(n), collides(n);
    digest(&one, sizeof one), digest(many, sizeof many), digest(b.slots.data(), b.slots.size() * sizeof(int)), digest(&f, sizeof f);
    return finish();
}
