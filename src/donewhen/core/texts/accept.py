"""What is said about acceptance commands."""

TEXTS: dict[str, tuple[str, str]] = {
    "empty": (
        "{source} names an empty command; give the command that must pass",
        "{source} 给出的命令为空；请写出必须通过的命令",
    ),
    "unreadable": (
        "{source}: the command {command!r} can't be read as one shell line; check its quotes, or put it into a script",
        "{source}：无法把 {command!r} 读作一行 shell 命令；请检查引号，或放进脚本",
    ),
    "not_plain": (
        "{source}: {command!r} needs a shell (operators, expansions or redirections), and the harness runs plain commands; put it into a script and name that",
        "{source}：{command!r} 需要 shell（运算符、展开或重定向），而这里只运行普通命令；请放进脚本再引用脚本",
    ),
    "folder_outside": (
        "{source}: {command!r} changes to a folder outside the workspace; name a folder inside it",
        "{source}：{command!r} 切换到工作区之外的目录；请使用工作区内的目录",
    ),
    "no_command": (
        "{source}: {command!r} only changes the folder; add the command that must pass",
        "{source}：{command!r} 只切换了目录；请加上必须通过的命令",
    ),
}
