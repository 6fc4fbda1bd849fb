// Structs by value, constructors, operators, virtual functions, a member pointer and a local array with a runtime index.
struct Complex {
    double re, im;
    __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
    __device__ Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
};
struct Options { char kind; short shift; Complex factor; float weights[3]; };
struct Shape { __device__ virtual double area() const = 0; };
struct Square : Shape { double a; __device__ explicit Square(double a) : a(a) {} __device__ double area() const override { return a * a; } };
struct Disc : Shape { double r; __device__ explicit Disc(double r) : r(r) {} __device__ double area() const override { return 3.0 * r * r; } };
extern "C" __global__ void structs(const double* x, double* out, Options options, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Complex z{x[i], x[(i + 1) % n]};
    for (int k = 0; k < 3; k++) z = z * z + options.factor;
    double local[8];
    for (int k = 0; k < 8; k++) local[k] = x[(i + k * options.shift) % n];
    double picked = local[(int)(fabs(x[i]) * 7.9)];
    Square square(x[i]);
    Disc disc(x[i]);
    const Shape* shape = i % 3 ? static_cast<const Shape*>(&square) : &disc;
    out[i] = z.re + picked * options.weights[i % 3];
    out[n + i] = z.im + shape->area() + options.kind;
}
