"""Runs the cases of tests/instructions.rs on the GPU.

usage: record_instructions.py CASES OUT    (CASES: what THREADWISE_EXPORT wrote; OUT: the file to write, see tests/instructions.rs)
"""

import ctypes
import multiprocessing
import pathlib
import struct
import sys

import numpy as np
from record import Driver


def run_some(job):
    """Results and errors of some cases, in one process."""
    folder, some = job
    driver = Driver()
    done, wrong = [], []
    for index, first, count, width, text in some:
        try:
            function = driver.load((folder / f"{index}.ptx").read_text(), "k")
            operands = np.fromfile(folder / "operands.bin", np.uint64, 3 * count, offset=24 * first)
            results = np.zeros(count, np.uint64)
            addresses = [driver.buffer(operands), driver.buffer(results)]
            values = [ctypes.c_uint64(addresses[0]), ctypes.c_uint64(addresses[1]), ctypes.c_uint32(count)]
            pointers = (ctypes.c_void_p * 3)(*[ctypes.addressof(v) for v in values])
            driver.call("cuLaunchKernel", function, (count + 127) // 128, 1, 1, 128, 1, 1, 0, None, pointers, None)
            driver.call("cuCtxSynchronize")
            words = np.frombuffer(driver.read(addresses[1], results), np.uint64)
            packed = words.view(np.uint8).reshape(-1, 8)[:, :width].tobytes()
            encoded = text.encode()
            done.append(struct.pack("<H", len(encoded)) + encoded + struct.pack("<HH", count, width) + packed)
        except RuntimeError as error:
            wrong.append(f"{text}: {str(error).strip()[:200]}")
    return done, wrong


def main():
    folder, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    some, first = [], 0
    for index, line in enumerate((folder / "cases.txt").read_text().splitlines()):
        count, width, text = line.split("\t")
        some.append((index, first, int(count), int(width), text))
        first += int(count)
    jobs = [(folder, some[k::12]) for k in range(12)]
    with multiprocessing.get_context("spawn").Pool(12) as pool:
        parts = pool.map(run_some, jobs, 1)
    out.write_bytes(b"".join(sorted(record for done, _ in parts for record in done)))
    print("\n".join(error for _, wrong in parts for error in wrong))
    print(f"{sum(len(done) for done, _ in parts)} of {len(some)} cases recorded")


if __name__ == "__main__":
    main()
