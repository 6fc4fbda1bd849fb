"""Compiles the kernels of kernels.txt with nvcc and Numba, runs them on the GPU, and writes PTX and results.

usage: record.py OUT    (on a machine with a GPU, nvcc, NumPy and numba-cuda)
"""

import ctypes
import importlib.util
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"u8": "u1", "u16": "u2", "u32": "u4", "u64": "u8", "i32": "i4", "i64": "i8", "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8"}


def fill(kind, ty, count, seed):
    """Contents of a buffer: a hash of place and seed, as any bits, as small integers, as multiples of a power of two in -1..1 (unit), or as
    those times a power of two (spread)."""

    def hashed(i):
        x = (i * 0x9E3779B9 + seed * 0x85EBCA6B) & 0xFFFFFFFF
        for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
            x = ((x ^ (x >> shift)) * factor) & 0xFFFFFFFF
        return x ^ (x >> 16)

    i = np.arange(count, dtype=np.uint64)
    dtype = np.dtype(TYPES[ty])
    if kind == "zero":
        return np.zeros(count, dtype)
    wide = hashed(2 * i) << np.uint64(32) | hashed(2 * i + 1)
    bits = wide if dtype.itemsize == 8 else hashed(i)
    if kind == "any":
        return bits.astype(f"u{dtype.itemsize}").view(dtype)
    if kind == "small":
        return (bits % 1000).astype(dtype)
    digits = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}[ty]
    value = (bits >> np.uint64(8 * max(dtype.itemsize, 4) - digits)).astype(np.float64) / 2.0 ** (digits - 1) - 1
    if kind == "spread":
        value *= 2.0 ** (((bits >> np.uint64(3)) % 9).astype(np.float64) - 4)
    if ty == "bf16":
        return (value.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return value.astype(dtype)


def cases():
    for line in (HERE / "kernels.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            yield [part.strip() for part in line.split("|")]


def compile_one(job):
    ptx, out = job
    target = out / ptx
    folder, name = ptx.split("/")
    try:
        if folder == "cuda":
            stem, arch, *rest = name.removesuffix(".ptx").split(".")
            flags = {"debug": ["-G"], "unfused": ["-fmad=false"]}[rest[0]] if rest else []
            command = ["nvcc", "-ptx", f"-arch={arch}", "-std=c++17", *flags, "-o", target, f"cuda/{stem}.cu"]
            done = subprocess.run(command, cwd=HERE, capture_output=True, text=True)
            if done.returncode:
                return f"{ptx}: {done.stdout}{done.stderr}"
            target.write_text(target.read_text().replace(f"{HERE}/", ""))  # paths in debug information
            return None
        from numba import cuda
        from numba.core import sigutils

        spec = importlib.util.spec_from_file_location(name, HERE / "numba" / name.replace(".ptx", ".py"))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        arguments, _ = sigutils.normalize_signature(module.SIGNATURE)
        text, _ = cuda.compile_ptx(module.kernel, arguments, device=False, cc=(9, 0))
        target.write_text(text)
        return None
    except Exception as error:
        return f"{ptx}: {type(error).__name__}: {error}"


class Driver:
    """The CUDA driver, as far as launches need it."""

    def __init__(self):
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuCtxSetLimit", 0, ctypes.c_size_t(16384))  # bytes of stack a thread

    def call(self, name, *arguments):
        code = getattr(self.lib, name)(*arguments)
        if code:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorString(code, ctypes.byref(text))
            raise RuntimeError(f"{name}: {text.value}")

    def load(self, text, entry):
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)
        values = (ctypes.c_void_p * 2)(ctypes.cast(log, ctypes.c_void_p), 8192)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), text.encode() + b"\0", 2, options, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}: {log.value.decode()}") from None
        self.call("cuModuleGetFunction", ctypes.byref(function), module, entry.encode())
        return function

    def buffer(self, array):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(array.nbytes, 1)))
        self.call("cuMemcpyHtoD_v2", address, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return address.value

    def read(self, address, like):
        result = np.empty_like(like)
        self.call("cuMemcpyDtoH_v2", result.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(address), ctypes.c_size_t(result.nbytes))
        return result.tobytes()


def arguments(driver, text):
    """Parameters as bytes each, and buffers that are results."""
    parameters, results = [], []
    for word in text.split():
        if "=" in word:
            ty, value = word.split("=")
            if ty.startswith("hex"):
                parameters.append(bytes.fromhex(value))
            else:
                parameters.append(np.array([float(value) if ty[0] == "f" else int(value)]).astype(TYPES[ty]).tobytes())
            continue
        marked = word.startswith("&")
        array = word.lstrip("&")[0] == "@"
        ty, kind, shape, *seed = word.lstrip("&")[1:].split(":")
        shape = [int(n) for n in shape.split("x")]
        data = fill(kind, ty, int(np.prod(shape)), int(seed[0]) if seed else 0)
        address = driver.buffer(data)
        if marked or kind == "zero":
            results.append((address, data))
        words = [address]
        if array:
            strides = [int(np.prod(shape[k + 1 :])) * data.itemsize for k in range(len(shape))]
            words = [0, 0, data.size, data.itemsize, address, *shape, *strides]
        parameters += [np.array([w], np.uint64).tobytes() for w in words]
    return parameters, results


def extent(text):
    return ([int(n) for n in text.split("x")] + [1, 1])[:3]


def run_one(job):
    (name, ptx, entry, config, text, _), out = job
    try:
        code = (out / ptx).read_text()
        if entry == "*":
            (entry,) = re.findall(r"\.entry\s+([\w$]+)", code)
        grid, block, shared = config.split(";")
        driver = Driver()
        function = driver.load(code, entry)
        parameters, results = arguments(driver, text)
        buffers = [ctypes.create_string_buffer(p, len(p)) for p in parameters]
        pointers = (ctypes.c_void_p * len(buffers))(*[ctypes.addressof(b) for b in buffers])
        saved = os.dup(1)
        printed = os.open(out / "results" / f"{name}.txt", os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(printed, 1)
        try:
            driver.call("cuLaunchKernel", function, *extent(grid), *extent(block), int(shared), None, pointers, None)
            driver.call("cuCtxSynchronize")
        finally:
            os.dup2(saved, 1)
        if os.fstat(printed).st_size == 0:
            (out / "results" / f"{name}.txt").unlink()
        (out / "results" / f"{name}.bin").write_bytes(b"".join(driver.read(*r) for r in results))
        return None
    except Exception as error:
        return f"{name}: {type(error).__name__}: {error}"


def main():
    out = pathlib.Path(sys.argv[1])
    for folder in ("cuda", "numba", "results"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    every = list(cases())
    files = sorted({case[1] for case in every})
    with multiprocessing.get_context("spawn").Pool(12, maxtasksperchild=1) as pool:
        wrong = [error for error in pool.imap_unordered(compile_one, [(ptx, out) for ptx in files], 1) if error]
        wrong += [error for error in pool.imap_unordered(run_one, [(case, out) for case in every], 1) if error]
    print("\n".join(wrong))
    print(f"{len(every)} kernels, {len(wrong)} faults")


if __name__ == "__main__":
    main()
