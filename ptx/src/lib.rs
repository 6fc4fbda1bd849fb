//! PTX lexer, parser, types, verifier and printer
