/* Iterations that a compiler takes out of the loop: the last one of an odd number, where it puts two into
 * one. Which elements they access the run alone can tell. */

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

static volatile double sink;
enum { N = 81 }; /* odd */
static double a[2 * N + 8], b[2 * N + 8], c[N + 1][N + 1];
static double flat[N * N + 16];
static int to[N], met[N], from[N], near[N], h[N], count[8];

ALONE static void scattered(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[to[i]] = b[i] + 1;
}
/* The last one goes where the first has been. */
ALONE static void last_goes_back(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[met[i]] = b[i] + 1;
}
ALONE static void gathered(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[to[i]] = a[to[i]] * 0.5 + b[i];
}
ALONE static void last_takes_two(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[met[i]] = a[met[i]] * 0.5 + b[i];
}
/* The last one reads what the first has written. */
ALONE static void last_reads(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = a[from[i]] * 0.5 + b[i];
}
/* The last one overwrites what the one before reads, and it what the last would find. */
ALONE static void read_before(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[near[i]] = a[i + N] * 0.5 + b[i];
}
ALONE static void whole_length(int n, int k)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i + k] = a[i] + 1;
}
ALONE static void beyond_length(int n, int k)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i + k] = a[i] + 1;
}
ALONE static void half(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        a[i] = a[n - 1 - i] * 0.5;
}
/* The one in the middle is the last, and reads what the one before has written. */
ALONE static void beyond_half(int n)
{
    for (int i = 0; i < n / 2 + 1 + n % 2; i++) /* loop: no */
        a[i] = a[n - 1 - i] * 0.5;
}
ALONE static void histogram(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        h[met[i]] += i;
}
ALONE static void histogram_seen(int n, int *out)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        h[met[i]] += i;
        out[i] = h[met[i]];
    }
}
/* Rows of an odd length. */
ALONE static void in_rows(int n, int m)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < m; j++) /* loop: parallel */
            c[i][to[j]] = c[i][to[j]] + i;
}
ALONE static void end_of_row(int n, int m)
{
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 0; j < m; j++) /* loop: parallel */
            c[i][to[j]] = c[i - 1][m - 1] + j;
}
/* What stands behind the loop is no iteration. */
ALONE static double behind(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[to[i]] = b[i] + 2;
    a[0] = a[1] + 2;
    return a[to[0]];
}
ALONE static void stored_sums(int n, double *sum)
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < n; j++) /* loop: reduction */
            sum[i] += c[i][j] * b[j];
}
/* The sum so far is what the last one begins with. */
ALONE static void sum_seen(int n, double *sum)
{
    for (int j = 0; j < n; j++) { /* loop: no */
        sum[0] += b[j];
        a[j] = sum[0];
    }
}
/* What is summed up lies in memory all the time. */
ALONE static void summed_in_place(int n, double *x)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        x[i] = b[i];
        for (int j = 0; j < i; j++) /* loop: reduction */
            x[i] -= c[i][j] * x[j] * 0.01;
    }
}
/* Rows of an even length: nothing is ever left over. */
ALONE static void even_rows(int n, const int *length, double *x, const double *y)
{
    for (int i = 0; i < n; i++)             /* loop: parallel */
        for (int j = 0; j < length[i]; j++) /* loop: parallel */
            x[i * N + j] = x[i * N + j] * 0.5 + y[j] * i;
}
ALONE static void kept_in_turns(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[to[i]] = b[i] + count[0];
        count[0] = h[i] & 3;
    }
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        to[i] = i * 5 % N;
        met[i] = from[i] = near[i] = i;
        h[i] = i * 7 % 11;
    }
    met[N - 1] = 0;
    from[N - 1] = 0;
    near[N - 1] = N + 3;
    for (int i = 0; i < 2 * N + 8; i++)
        a[i] = b[i] = i % 9 * 0.25;
    scattered(N);
    last_goes_back(N);
    gathered(N);
    last_takes_two(N);
    last_reads(N);
    read_before(N);
    whole_length(N, N - 1);
    beyond_length(N, N);
    half(N + 2);
    beyond_half(N + 2);
    histogram(N);
    histogram_seen(N, to);
    for (int i = 0; i < N; i++)
        to[i] = i * 5 % N;
    in_rows(N, N - 2);
    end_of_row(N, N - 2);
    double s = behind(N), sums[N] = {0};
    stored_sums(N, sums);
    sum_seen(N, sums);
    summed_in_place(N, sums);
    for (int i = 0; i < N; i++)
        h[i] = 2 * (i % 7);
    even_rows(N, h, flat, b);
    kept_in_turns(N);
    for (int i = 0; i < N; i++)
        s += flat[i * N] + a[i] + b[i] + h[i] + to[i] + sums[i] + c[i][i];
    sink = s;
    return 0;
}
