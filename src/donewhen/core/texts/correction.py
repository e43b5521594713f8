"""What the agent reads of findings, and of a fix that was taken back."""

TEXTS: dict[str, tuple[str, str]] = {
    "found": ("What verification found, most severe first:", "验证发现的问题，最严重的在前："),
    "line": ("- {place}: {message}", "- {place}: {message}"),
    "placeless": ("- {message}", "- {message}"),
    "suggested": ("{line} → {suggestion}", "{line} → {suggestion}"),
    "warning": ("{line} (a warning: it does not block)", "{line}（警告：不阻止验收）"),
    "more": ("… and {count} more findings", "…… 以及另外 {count} 项发现"),
    "rolled_back": (
        "Your last fix broke what had passed ({checks}); the workspace is again what it was before that fix. Try another way.",
        "上一次修复弄坏了原本通过的检查（{checks}）；工作区已恢复到那次修复之前。请换一种做法。",
    ),
}
