"""What is said about gate cases."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_an_object": ("{place} must be an object with named fields", "{place} 必须是带字段名的对象"),
    "bad_file": (
        "{place} must be a path inside the workspace with text as its content",
        "{place} 必须是工作区内的路径，内容为文本",
    ),
    "bad_config": ("the case's config is wrong: {problem}", "用例的 config 有误：{problem}"),
    "one_of": ("{place} must be one of {known}", "{place} 必须是其中之一：{known}"),
    "unknown_event": ("{place} must hold exactly one of {known}", "{place} 必须且只能含其中一项：{known}"),
    "empty_command": (
        "{place} runs an empty command; say which was run",
        "{place} 的命令为空；请写明运行了什么",
    ),
    "not_a_number": ("{place} must be a number", "{place} 必须是数字"),
    "bad_move": (
        "{place}: move needs a list of two paths, from and to",
        "{place}：move 需要两个路径的列表，即原路径和新路径",
    ),
    "bad_user": (
        "{place}: user must be abort, confirm TEXT or optional ID",
        "{place}：user 必须是 abort、confirm 文本 或 optional ID",
    ),
    "no_promise": (
        "the run has no promise up to event {seq}, so there is nothing to decide",
        "到事件 {seq} 为止该运行没有承诺，无从判定",
    ),
}
