#include <cstdio>
#include <vector>
template <class T> class Matrix {
    int rows_, cols_;
    std::vector<T> data_;

public:
    Matrix(int r, int c) : rows_(r), cols_(c), data_(r * c) {}
    T &operator()(int i, int j) { return data_[i * cols_ + j]; }
    const T &operator()(int i, int j) const { return data_[i * cols_ + j]; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    Matrix &operator+=(const Matrix &o)
    {
        for (int i = 0; i < rows_; i++)
            for (int j = 0; j < cols_; j++)
                (*this)(i, j) += o(i, j);
        return *this;
    }
};
template <class T> Matrix<T> operator*(const Matrix<T> &a, const Matrix<T> &b)
{
    Matrix<T> c(a.rows(), b.cols());
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < b.cols(); j++) {
            T s = 0;
            for (int k = 0; k < a.cols(); k++)
                s += a(i, k) * b(k, j);
            c(i, j) = s;
        }
    return c;
}
int main()
{
    int n = 40;
    Matrix<double> a(n, n), b(n, n), sum(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a(i, j) = i + 0.5 * j;
            b(i, j) = i == j ? 1.0 : 0.01 * (i - j);
        }
    for (int t = 0; t < 3; t++)
        sum += a * b;
    std::printf("%.6f\n", sum(3, 5));
    return 0;
}
// kinds: a product of a template's objects, in a function that also calls another operator of theirs
