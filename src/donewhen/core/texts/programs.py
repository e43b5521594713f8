"""Texts of `shell.programs`: what is wrong with a table of programs."""

TEXTS: dict[str, tuple[str, str]] = {
    "broken_row": ("{place}: [{program}] {why}; correct the row", "{place}：[{program}] {why}；请改正这一行"),
    "broken_table": (
        "{place}: the table of programs is not valid TOML: {why}",
        "{place}：程序表不是有效的 TOML：{why}",
    ),
}
