"""Hints to an agent that goes round in circles."""

TEXTS: dict[str, tuple[str, str]] = {
    "edits": (
        "{path} was edited {count} times for this message; step back, read the whole file and the failing output, and change the approach",
        "针对此消息已编辑 {path} {count} 次；请退一步，通读该文件和失败输出，换一种做法",
    ),
    "red_runs": (
        "`{command}` failed {count} times for this message; read its output and change something before you run it again",
        "针对此消息 `{command}` 已失败 {count} 次；请先阅读其输出并作出修改，再次运行",
    ),
}
