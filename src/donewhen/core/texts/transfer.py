"""What export and import say."""

TEXTS: dict[str, tuple[str, str]] = {
    "torn": (
        "{name} is not whole: it ends early or lost lines (line {line}); export the run again, nothing was imported",
        "{name} 不完整：提前结束或缺行（第 {line} 行）；请重新导出，未导入任何内容",
    ),
    "bad_line": (
        "{name}:{line} can't be imported: {why}; export the run again, nothing was imported",
        "{name}:{line} 无法导入：{why}；请重新导出，未导入任何内容",
    ),
    "newer": (
        "{name} has format {version}, this donewhen reads {newest}; upgrade donewhen, nothing was imported",
        "{name} 的格式是 {version}，本 donewhen 读取 {newest}；请升级 donewhen，未导入任何内容",
    ),
    "differs": (
        "run {run} is in the store already with another history; compare with `donewhen audit {run}`, nothing was imported",
        "存储中已有历史不同的运行 {run}；请用 `donewhen audit {run}` 比较，未导入任何内容",
    ),
    "secret": (
        "event {seq} of run {run} holds what looks like a credential; export it from a store that redacts, nothing was imported",
        "运行 {run} 的第 {seq} 条事件含有疑似凭据的内容；请从会脱敏的存储导出，未导入任何内容",
    ),
    "secret_artifact": (
        "artifact {digest} of run {run} holds what looks like a credential; export it from a store that redacts, "
        "nothing was imported",
        "运行 {run} 的工件 {digest} 含有疑似凭据的内容；请从会脱敏的存储导出，未导入任何内容",
    ),
    "cannot_read": (
        "{name} can't be read ({why}); check the path",
        "无法读取 {name}（{why}）；请检查路径",
    ),
    "cannot_write": (
        "{name} can't be written ({why}); choose another file, nothing was left behind",
        "无法写入 {name}（{why}）；请换一个文件，没有留下残余",
    ),
}
