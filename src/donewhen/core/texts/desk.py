"""What an agent that talks to a model reads at every step: how things stand."""

TEXTS: dict[str, tuple[str, str]] = {
    "standing": ("How things stand now:", "当前状态："),
    "nothing_yet": (
        "- open: everything that the promise names; nothing was run or changed yet",
        "- 待证明：承诺中的全部内容；尚未运行或更改任何内容",
    ),
    "proven": ("- proven: {name}", "- 已证明：{name}"),
    "more_proven": ("- proven: {count} more", "- 已证明：另有 {count} 项"),
    "open": ("- open: {what}", "- 待证明：{what}"),
    "forced": (
        "One step at a time: files can be changed only while a todo is in_progress, and only inside its paths; test after each edit.",
        "一次一步：只有在某个待办为 in_progress 时才能改动文件，且限于其路径之内；每次编辑后请测试。",
    ),
    "limits": (
        "Left: {left} dollars, {turns} turns, {minutes} minutes.",
        "剩余：{left} 美元，{turns} 轮，{minutes} 分钟。",
    ),
}
