"""Hints to an agent that goes round in circles."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_todo": (
        "{path} was not changed: one step at a time, and no todo is in progress; set the todo of this step to in_progress with `todo_write` (add it first where there is none), then repeat the call",
        "未更改 {path}：当前须逐步进行，而没有进行中的待办；请用 `todo_write` 把这一步的待办设为 in_progress（没有则先添加），然后重复该调用",
    ),
    "not_its_paths": (
        "{path} was not changed: it is outside the paths of what is in progress ({todos}); finish that first, or set the todo that {path} belongs to to in_progress with `todo_write`",
        "未更改 {path}：它不在进行中的待办（{todos}）的路径之内；请先完成该待办，或用 `todo_write` 把 {path} 所属的待办设为 in_progress",
    ),
    "edits": (
        "{path} was edited {count} times for this message; step back, read the whole file and the failing output, and change the approach",
        "针对此消息已编辑 {path} {count} 次；请退一步，通读该文件和失败输出，换一种做法",
    ),
    "red_runs": (
        "`{command}` failed {count} times for this message; read its output and change something before you run it again",
        "针对此消息 `{command}` 已失败 {count} 次；请先阅读其输出并作出修改，再次运行",
    ),
}
