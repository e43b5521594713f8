"""What is said when the state machine is misused; only we can do that."""

TEXTS: dict[str, tuple[str, str]] = {
    "illegal": (
        "a run can't go from {was} to {state}; please report this as a bug",
        "运行不能从 {was} 进入 {state}；请作为缺陷报告",
    ),
    "added": (
        "a strategy adds the move from {was} to {state}, but it may only take moves away; please report this as a bug",
        "策略增加了从 {was} 到 {state} 的转移，但它只能减少转移；请作为缺陷报告",
    ),
}
