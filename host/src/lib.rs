//! Devices, memory, streams and typed launches, over the CUDA driver or the simulator
