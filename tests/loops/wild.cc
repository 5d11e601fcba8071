// Loops in the manner of real programs, each free one of which is found: methods that hand out what they compute by
// references, statements over several lines, templates among the operators of a namespace.
#include "loops.h"
#include <functional>
#include <vector>

class Grid {
protected:
    int side_, last_ = 0;

public:
    explicit Grid(int side) : side_(side) {}
    int size() const { return side_ * side_; }
    void where(int at, int &x, int &y) const;
    void onward(int at, int &x) const;
    void remember(int at, int &x);
};

void Grid::where(int at, int &x, int &y) const
{
    x = at % side_;
    y = at / side_;
}

void Grid::onward(int at, int &x) const
{
    x = x / 2 + at % side_;
}

void Grid::remember(int at, int &x)
{
    x = last_;
    last_ = at % side_;
}

template <typename T> class Map : public Grid {
    std::vector<T> v;

public:
    explicit Map(int side) : Grid(side), v(side * side) {}
    T &operator[](int i) { return v[i]; }
    void turned(const Map<T> &from)
    {
        for (int m = 0; m < size(); m++) { /* loop: parallel */
            int x, y;
            where(m, x, y);
            v[m] = from.v[x * side_ + y];
        }
    }
    void counted(const Map<T> &from);
    void leaning(const Map<T> &from)
    {
        for (int m = 0; m < size(); m++) { /* loop: sequential */
            onward(m, last_);
            v[m] = from.v[last_];
        }
    }
    void delayed(const Map<T> &from)
    {
        for (int m = 0; m < size(); m++) { /* loop: sequential */
            int x;
            remember(m, x);
            v[m] = from.v[x];
        }
    }
    double squares() const
    {
        using namespace std; // and its operators: `m < side_` looks like a call of one
        double sum = 0;
        for (int m = 0; m < side_; ++m) /* loop: reduction */
            sum += v[m] * v[m];
        return sum;
    }
    void summed()
    {
        using namespace std;
        for (int m = 0; m < side_; ++m) /* loop: sequential */
            v[m + 1] += v[m];
    }
    void begun(const Map<T> &from)
    {
        int x = 0;
        for (int m = 0; m < size(); m++) { /* loop: sequential */
            onward(m, x);
            v[m] = from.v[x];
        }
    }
};

template <typename T> void Map<T>::counted(const Map<T> &from)
{
    int m;
    for (m = 0; m < size(); ++m) { /* loop: parallel */
        int x, y, hits = 0;
        where(m, x, y);
        for (int j = y; j < y + 2; j++)
            ++hits;
        v[m] = T(from.v[x] + hits);
    }
}

template class Map<double>;

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* What a pixel of the larger image takes of four of the smaller one. */
static void enlarge(const int cols, const int rows, const float *const in, float *const out)
{
    const int in_rows = rows / 2;
    const int in_cols = cols / 2;
    const float dx = (float)in_cols / ((float)cols);
    const float dy = (float)in_rows / ((float)rows);
    const float factor = 1.0f / (dx * dy);
    for (int y = 0; y < rows; y++) { /* loop: parallel */
        const float sy = y * dy;
        const int y1 = (y * in_rows) / rows;
        const int y2 = least(((y + 1) * in_rows) / rows, in_rows - 1);
        for (int x = 0; x < cols; x++) { /* loop: parallel */
            const float sx = x * dx;
            const int x1 = (x * in_cols) / cols;
            const int x2 = least(((x + 1) * in_cols) / cols, in_cols - 1);
            out[x + y * cols] = (
                ((x1 + 1) - sx) * ((y1 + 1 - sy)) * in[x1 + y1 * in_cols] +
                ((x1 + 1) - sx) * (sy + dy - (y1 + 1)) * in[x1 + y2 * in_cols] +
                (sx + dx - (x1 + 1)) * ((y1 + 1 - sy)) * in[x2 + y1 * in_cols] +
                (sx + dx - (x1 + 1)) * (sy + dx - (y1 + 1)) * in[x2 + y2 * in_cols]) * factor;
        }
    }
}

struct level {
    int rows, cols;
    float *in, *out;
    struct level *next;
};
static __attribute__((noinline)) void enlarge_all(struct level *l)
{
    for (; l; l = l->next)
        enlarge(l->cols, l->rows, l->in, l->out);
}

/* The same statement over several lines, in place. */
static __attribute__((noinline)) void blend(int n, const float *in, float *out)
{
    for (int i = 3; i < n; i++) /* loop: sequential */
        out[i] = 0.25f * in[i] +
                 0.5f * in[i - 1] +
                 0.125f * in[i - 2] +
                 0.125f * in[i - 3];
}

/* A lambda that stands behind a loop has not been made while it runs; unless a loop around leads back. */
typedef std::function<int(int)> Step;
static __attribute__((noinline)) void stepped(std::vector<int> &v, const Step &step)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        v[i] = step(v[i]);
}
static __attribute__((noinline)) int behind(std::vector<int> &v, std::vector<double> &w)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        v[i] = int(i * 37 % 101);
        w[i] = double(i % 17);
    }
    int calls = 0;
    stepped(v, [&calls](int y) { return y + calls++ % 3; });
    return calls;
}
static __attribute__((noinline)) int in_turns(std::vector<int> &v)
{
    int calls = 0;
    Step step = [](int y) { return y; };
    for (int k = 0; k < 3; k++) {                    /* loop: no */
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            v[i] = step(v[i]);
        step = [&calls](int y) { return y + calls++ % 3; };
    }
    return calls;
}
static __attribute__((noinline)) int led_back(std::vector<int> &v)
{
    int calls = 0, turn = 0;
    Step step = [](int y) { return y; };
again:
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        v[i] = step(v[i]);
    step = [&calls](int y) { return y + calls++ % 3; };
    if (turn++ < 2)
        goto again;
    return calls;
}

int main()
{
    Map<double> a(32), b(32);
    std::vector<int> numbers(500);
    std::vector<double> others(500);
    keep(behind(numbers, others)), keep(in_turns(numbers)), keep(led_back(numbers)), keep(others[3]);
    static float small[16 * 16], large[32 * 32], larger[32 * 32];
    for (int i = 0; i < b.size(); i++)
        b[i] = i * 7 % 31;
    for (int i = 0; i < 16 * 16; i++)
        small[i] = i % 11;
    a.turned(b), keep(a[5] + a[900]);
    a.counted(b), keep(a[6] + a[901]);
    a.leaning(b), keep(a[7] + a[902]);
    a.delayed(b), keep(a[8] + a[903]);
    a.begun(b), keep(a[9] + a[904]);
    a.summed(), keep(a.squares() + a[3]);
    struct level second = {16, 16, small, larger, NULL}, first = {32, 32, small, large, &second};
    enlarge_all(&first), blend(32 * 32, large, large);
    digest(large, sizeof large);
    return finish();
}
