//! A simulator that runs PTX on the CPU and finds the faults
