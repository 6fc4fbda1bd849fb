//! The attribute macros and the device pass of threadwise
