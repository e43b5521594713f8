"""What the secrets room says."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_pattern": (
        "The pattern {pattern!r} of guardrails.secret_patterns is not a valid regular expression ({reason}); "
        "correct or remove it in the configuration.",
        "guardrails.secret_patterns 中的模式 {pattern!r} 不是有效的正则表达式（{reason}）；"
        "请在配置中改正或删除它。",
    ),
}
