//! What threadwise kernels call: threads, warps, shared memory, atomics, views
