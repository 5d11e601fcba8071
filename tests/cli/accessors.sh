#!/bin/sh
# Sums made by way of functions that return references, as C++ codes on meshes have them: atomic, where nothing else looks at what they lead to.
. "$(dirname "$0")/lib.sh"
command -v g++ >/dev/null || { skip "accessors" "there is no g++"; done_testing; exit; }
cat >mesh.cpp <<'C'
#include <cmath>
#include <cstdio>
#include <vector>
class Mesh {
    std::vector<double> m_force, m_mass;
    std::vector<int> m_nodes;
public:
    explicit Mesh(int n) : m_force(n + 1), m_mass(n + 1), m_nodes(2 * n)
    {
        for (int e = 0; e < n; e++)
            m_nodes[2 * e] = e, m_nodes[2 * e + 1] = e * 7 % n;
    }
    double &force(int i) { return m_force[i]; }
    double &mass(int i) { return m_mass[i]; }
    int node(int e, int k) const { return m_nodes[2 * e + k]; }
};
static int slow(int e)
{
    double x = e;
    for (int k = 0; k < 20; k++)
        x = std::sqrt(x * x + k) + 1.0 / (x + 1);
    return static_cast<int>(x) % 8;
}
static void add(Mesh &m, int n)
{
    for (int e = 0; e < n; e++) {
        int p = slow(e);
        m.force(m.node(e, 0)) += p;
        m.force(m.node(e, 1)) -= p + 1;
    }
}
static void spread(Mesh &m, int n)
{
    for (int e = 0; e < n; e++) {
        int p = slow(e);
        m.mass(m.node(e, 0)) += p;
        m.mass(m.node(e, 1)) = m.mass(m.node(e, 0)) + p;
    }
}
int main()
{
    const int n = 3000;
    Mesh m(n);
    add(m, n);
    spread(m, n);
    double f = 0, g = 0;
    for (int i = 0; i <= n; i++)
        f += m.force(i) * (i % 13), g += m.mass(i);
    std::printf("%.0f %.0f\n", f, g);
}
C
g++ -O1 -g -Wall -Wextra -o mesh mesh.cpp || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o mesh.cast ./mesh >want 2>err || { skip "accessors" "there is no valgrind engine"; done_testing; exit; }
cc explore mesh.cast -p cortex-a53-quad --json --patch mesh.diff
is "$RC $(json '[.plans[0].directives[]|select(.pragma == "#pragma omp atomic")|"\(.loop) \(.line)"]|join(", ")')" "0 mesh.cpp:26 28, mesh.cpp:26 29" "updates by way of an accessor are atomic"
is "$(json '[.plans[0].directives[]|select(.loop == "mesh.cpp:34")]|length')" 0 "a loop that also reads what it leads to is not shared out"
mkdir tree && cp mesh.cpp tree && (cd tree && patch -s -p1 <../mesh.diff); ok $? "patch -p1 takes it"
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    $compiler -O1 -Wall -Wextra -Werror -fopenmp -o tree/t tree/mesh.cpp 2>err
    rc=$?
    if grep -q "omp.h\|cannot find -lomp\|libomp" err; then skip "$compiler" "it has no OpenMP"; continue; fi
    ok $rc "$compiler compiles it without a warning"
    is "$(for n in 1 2 3; do OMP_NUM_THREADS=$n tree/t; done | sort -u)" "$(cat want)" "the same result"
done
done_testing
