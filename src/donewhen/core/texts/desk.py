"""What an agent that talks to a model reads at every step: how things stand."""

TEXTS: dict[str, tuple[str, str]] = {
    "standing": ("How things stand now:", "当前状态："),
    "any_tests": ("a whole run of the project's tests", "项目测试的一次完整运行"),
    "proof_passed": ("- proven: {name}", "- 已证明：{name}"),
    "proof_failed": ("- failing: {name}: {reason}", "- 未通过：{name}：{reason}"),
    "proof_flaky": ("- now red, now green: {name}: {reason}", "- 时红时绿：{name}：{reason}"),
    "proof_pending": ("- open: {name}: {reason}", "- 待证明：{name}：{reason}"),
    "forced": (
        "One step at a time: name the todo that you work on, change only what it needs, and test after each edit.",
        "一次一步：说明正在处理的待办，只改动它需要的内容，并在每次编辑后测试。",
    ),
    "limits": (
        "Left: {left} dollars, {turns} turns, {minutes} minutes.",
        "剩余：{left} 美元，{turns} 轮，{minutes} 分钟。",
    ),
}
