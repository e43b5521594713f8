"""What is said of tests that a goal orders, once they were sat on the old code."""

TEXTS: dict[str, tuple[str, str]] = {
    "old_code_passes": (
        "the ordered tests pass on the old code too, so they don't show the fix",
        "所要求的测试在旧代码上同样通过，因此不能证明修复有效",
    ),
    "red_wanted": (
        "bring at least one test that fails without the fix and passes with it",
        "请至少提供一个在没有修复时失败、修复后通过的测试",
    ),
}
