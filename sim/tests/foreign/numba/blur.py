"""Blur over strided two-dimensional arrays, borders repeated."""
from numba import cuda

SIGNATURE = "void(float32[:, :], float32[:, :])"


def kernel(image, out):
    x, y = cuda.grid(2)
    height, width = image.shape
    if x >= width or y >= height:
        return
    total = 0.0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            total += image[min(max(y + dy, 0), height - 1), min(max(x + dx, 0), width - 1)]
    out[y, x] = total / 9.0
