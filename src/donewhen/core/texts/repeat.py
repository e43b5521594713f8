"""What the repeat detector says."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_limit": (
        "runtime.max_repeat_cycle_streak is {limit}; give a whole number of at least 1",
        "runtime.max_repeat_cycle_streak 为 {limit}；请给出不小于 1 的整数",
    ),
}
