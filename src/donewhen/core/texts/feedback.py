"""What the agent is told between two attempts."""

TEXTS: dict[str, tuple[str, str]] = {
    "acceptance": (
        "[System / Acceptance] {label} — {what} ({done}/{total} passed)",
        "[系统 / 验收] {label} — {what}（已通过 {done}/{total}）",
    ),
    "all_passed": (
        "All acceptance commands pass ({total}). Finish what is still open, then call `complete` with a summary of at most 10 points.",
        "全部验收命令已通过（{total} 条）。完成剩余事项后，请调用 `complete`，并给出不超过 10 条要点的总结。",
    ),
    "not_complete": ("Not complete. Still to be proven:", "尚未完成。仍需证明："),
    "more": ("… and {count} more", "…… 以及另外 {count} 项"),
    "tail": ("The end of the failing output:", "失败输出的末尾："),
    "next_command": (
        "Next step: make `{label}` pass, run on its own, on the final tree.",
        "下一步：让 `{label}` 在当时的文件树上单独运行并通过。",
    ),
    "next_todo": (
        "Next step: finish the todo {todo} and mark it completed.",
        "下一步：完成待办 {todo} 并标记为已完成。",
    ),
    "next_content": (
        "Next step: write into {path} what the todo {todo} asks for.",
        "下一步：把待办 {todo} 要求的内容写入 {path}。",
    ),
    "next_check": (
        "Next step: supply what the check {check} needs.",
        "下一步：提供检查 {check} 所需的证据。",
    ),
    "next_rest": (
        "Next step: supply the first missing proof of this list.",
        "下一步：提供列表中第一项缺少的证据。",
    ),
    "not_run": (
        "Not verified: changed source has no test run on the current tree. Still to be proven:",
        "尚未验证：源码已改，但当前文件树上没有测试运行。仍需证明：",
    ),
    "failed": (
        "Verification failed on the current tree. Still to be proven:",
        "当前文件树上的验证失败。仍需证明：",
    ),
    "untested": (
        "Changed source that no passing test run speaks for:",
        "已改但没有通过的测试运行为其证明的源码：",
    ),
    "next_tests": (
        "Next step: run the project's own tests as a whole: `{command}`.",
        "下一步：完整运行项目自己的测试：`{command}`。",
    ),
    "next_own_tests": (
        "Next step: run the project's own tests as a whole, with the command that the project itself uses.",
        "下一步：用项目自己使用的命令完整运行项目的测试。",
    ),
    "next_fix": (
        "Next step: fix the cause in the code and leave the tests as strict as they are; then run `{command}` again, on its own.",
        "下一步：在代码中修复原因，不要放宽测试；然后单独重新运行 `{command}`。",
    ),
    "next_fix_tests": (
        "Next step: fix the cause in the code and leave the tests as strict as they are; then run the project's own tests again.",
        "下一步：在代码中修复原因，不要放宽测试；然后重新运行项目自己的测试。",
    ),
}
