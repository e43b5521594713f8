"""What is said of tests of the base that were red before."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_satisfied": (
        "{test} failed before the change, and its base version still fails: the test was changed instead",
        "{test} 在改动前就失败，其基线版本仍然失败：被修改的是测试本身",
    ),
}
