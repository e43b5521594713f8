"""What the readers of Go, Rust and Java share: one light tree per file and the questions put to it.

Each language maps its grammar's kinds to common ones (`call`, `if`, `list`, …); nothing here knows a test
framework, and nothing here decides whether a difference is a fault.
"""
