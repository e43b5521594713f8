"""What the agent is told between two attempts."""

TEXTS: dict[str, tuple[str, str]] = {
    "acceptance": (
        "[System / Acceptance] {label} — {what} ({done}/{total} passed)",
        "[系统 / 验收] {label} — {what}（已通过 {done}/{total}）",
    ),
    "all_passed": (
        "All {total} acceptance commands passed. Output at most 10 delivery bullets now and stop calling tools.",
        "全部 {total} 条验收命令已通过。现在输出不超过 10 条交付要点，不要再调用工具。",
    ),
    "not_complete": ("Not complete. Still to be proven:", "尚未完成。仍需证明："),
    "more": ("… and {count} more", "…… 以及另外 {count} 项"),
    "tail": ("The end of the failing output:", "失败输出的末尾："),
    "next_command": (
        "Next step: make `{label}` pass, run on its own, on the tree as it then is.",
        "下一步：让 `{label}` 在当时的文件树上单独运行并通过。",
    ),
    "next_todo": (
        "Next step: finish the todo {todo} and mark it completed.",
        "下一步：完成待办 {todo} 并标记为已完成。",
    ),
    "next_check": (
        "Next step: supply what the check {check} needs.",
        "下一步：提供检查 {check} 所需的证据。",
    ),
    "next_rest": (
        "Next step: supply the first missing proof of this list.",
        "下一步：提供列表中第一项缺少的证据。",
    ),
}
