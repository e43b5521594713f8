"""Texts of `shell`: why a command line was not read (each gets `detail`, which may be empty), or a table."""

TEXTS: dict[str, tuple[str, str]] = {
    "broken_row": (
        "{place}: [{row}] {why}; correct the row",
        "{place}：[{row}] {why}；请改正这一行",
    ),
    "broken_table": (
        "{place}: the table is not valid TOML: {why}",
        "{place}：该表不是有效的 TOML：{why}",
    ),
    "too_long": (
        "the command is longer than {detail} KiB; put it into a script file and run that",
        "命令超过 {detail} KiB；请把它写进脚本文件再运行",
    ),
    "too_many_operators": (
        "the command has more than {detail} operators; put it into a script file or split it",
        "命令中的运算符超过 {detail} 个；请写进脚本文件或拆开",
    ),
    "too_deep": (
        "the command is nested too deeply ({detail}); split it into several commands",
        "命令嵌套过深（{detail}）；请拆成几条命令",
    ),
    "too_slow": (
        "the command could not be parsed in time{detail}; split it or run it again",
        "命令未能在时限内解析{detail}；请拆开或重试",
    ),
    "too_large": (
        "the syntax tree of the command is larger than {detail} MiB; split the command",
        "命令的语法树超过 {detail} MiB；请拆开命令",
    ),
    "control_character": (
        "the command contains the control character {detail}; remove it or write it as an escape in $'…'",
        "命令含有控制字符 {detail}；请删除，或在 $'…' 中用转义写出",
    ),
    "syntax_error": (
        "the command is not valid shell syntax ({detail}); correct it",
        "命令不符合 shell 语法（{detail}）；请改正",
    ),
    "hidden_line": (
        "the comment in line {detail} of the command ends with a backslash; remove the backslash or the comment",
        "命令第 {detail} 行的注释以反斜杠结尾；请删除反斜杠或注释",
    ),
    "unknown_syntax": (
        "the command uses syntax that is not supported here ({detail}); write it in a simpler way",
        "命令使用了此处不支持的语法（{detail}）；请换成更简单的写法",
    ),
    "unclear_document": (
        "the end mark of the here-document is unusual ({detail}); use a plain word such as EOF",
        "here-document 的结束标记不寻常（{detail}）；请用 EOF 这样的普通单词",
    ),
    "cmd_syntax": (
        "the line uses syntax of cmd.exe that is not understood here ({detail}); write it in a simpler way",
        "这一行使用了此处不理解的 cmd.exe 语法（{detail}）；请换成更简单的写法",
    ),
    "no_parser": (
        "the shell parser is missing; install the package {detail} into donewhen's environment",
        "缺少 shell 解析器；请在 donewhen 的环境中安装软件包 {detail}",
    ),
    "no_answer": (
        "the shell parser gave no usable answer ({detail}); install shfmt-py again",
        "shell 解析器没有给出可用的结果（{detail}）；请重新安装 shfmt-py",
    ),
}
