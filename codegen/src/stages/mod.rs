//! The stages of lowering.
