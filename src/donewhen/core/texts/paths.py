"""What the reading of path patterns says."""

TEXTS: dict[str, tuple[str, str]] = {
    "pattern_too_long": (
        "the path pattern {start}… is longer than {longest} characters; shorten or split it",
        "路径模式 {start}… 超过 {longest} 个字符；请缩短或拆分",
    ),
}
