"""What the repeat detector says."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_limit": (
        "runtime.max_repeat_cycle_streak is {limit}; give a whole number of at least 1",
        "runtime.max_repeat_cycle_streak 为 {limit}；请给出不小于 1 的整数",
    ),
    "reminder": (
        "you do the same again and again, with the same result; one more time and the run ends: do something else, "
        "or call `complete`, or `ask_user` when you are stuck",
        "你在反复做同样的事，结果也一样；再来一次运行就会结束：请换一种做法，或调用 `complete`，卡住时可用 `ask_user`",
    ),
}
