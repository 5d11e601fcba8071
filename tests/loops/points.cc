/* Elements of three numbers that operators hand on: what is assigned as a whole is stored in parts (8 and 4
 * bytes), which are no copies of the body. */
#include "loops.h"
#include <vector>

#define ALONE static __attribute__((noinline))
struct point {
    float x, y, z;
    point operator+(const point &o) const { return {x + o.x, y + o.y, z + o.z}; }
    point operator*(float f) const { return {x * f, y * f, z * f}; }
};
struct sample {
    double value;
    int count;
    sample operator+(const sample &o) const { return {value + o.value, count + o.count}; }
};
typedef std::vector<point> points;

ALONE void move(points &p, const points &v, float dt)
{
    for (size_t i = 0; i < p.size(); i++) /* loop: parallel */
        p[i] = p[i] + v[i] * dt;
}
ALONE void from_behind(points &p, float dt)
{
    for (size_t i = 1; i < p.size(); i++) /* loop: no */
        p[i] = p[i] + p[i - 1] * dt;
}
ALONE void from_before(points &p, float dt)
{
    for (size_t i = 0; i + 1 < p.size(); i++) /* loop: no */
        p[i] = p[i] + p[i + 1] * dt;
}
ALONE void from_far(point *p, float dt, int n)
{
    for (int i = 0; i + 2 < n; i++) /* loop: no */
        p[i] = p[i + 2] * dt + p[i];
}
ALONE void pooled(std::vector<sample> &s)
{
    for (size_t i = 0; i + 1 < s.size(); i++) /* loop: no */
        s[i] = s[i] + s[i + 1];
}

int main(int argc, char **argv)
{
    size_t n = (size_t)(argc > 1 ? atoi(argv[1]) : 300);
    points p(n), v(n);
    std::vector<sample> s(n);
    for (size_t i = 0; i < n; i++) { /* loop: parallel */
        float k = (float)(i * 37 % 101);
        p[i] = {k, k + 1, 2 * k};
        v[i] = {1, k, 3};
        s[i] = {k * 0.5, (int)i};
    }
    move(p, v, 0.25f);
    digest(p.data(), n * sizeof(point));
    from_behind(p, 0.125f);
    digest(p.data(), n * sizeof(point));
    from_before(p, 0.125f);
    digest(p.data(), n * sizeof(point));
    from_far(p.data(), 0.125f, (int)n);
    digest(p.data(), n * sizeof(point));
    pooled(s);
    keep(s[0].value);
    return finish();
}
