"""Rust files read for integrity: `#[test]` and its kin, tests inside source, examples in documentation."""
