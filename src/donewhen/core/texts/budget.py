"""What is said about amounts that are none, and about misuse of the account."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_amount": (
        "{place} gives an amount of {kind} that is none; write a number from 0, such as 2.5",
        "{place} 中 {kind} 的数额无效；请写从 0 起的数字，例如 2.5",
    ),
    "key_in_use": (
        "the call {key} is reserved already; please report this as a bug",
        "调用 {key} 已有预留；请作为缺陷报告",
    ),
    "negative": (
        "the call {key} counts fewer than no tokens or costs less than nothing; please report this as a bug",
        "调用 {key} 的令牌数或价格为负；请作为缺陷报告",
    ),
}
