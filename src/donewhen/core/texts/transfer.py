"""What export and import say."""

TEXTS: dict[str, tuple[str, str]] = {
    "torn": (
        "{name} is not whole: it ends early or lost lines (line {line}); export the run again, nothing was imported",
        "{name} 不完整：提前结束或缺行（第 {line} 行）；请重新导出，未导入任何内容",
    ),
    "bad_line": (
        "{name}:{line} can't be imported: {why}; give a file as `donewhen export` wrote it, nothing was imported",
        "{name}:{line} 无法导入：{why}；请给出由 `donewhen export` 原样写出的文件，未导入任何内容",
    ),
    "empty": (
        "{name} is empty; give a file that `donewhen export` wrote, nothing was imported",
        "{name} 是空文件；请给出由 `donewhen export` 写出的文件，未导入任何内容",
    ),
    "why_after_end": ("there is more after the end", "结尾之后还有内容"),
    "why_neither": ("it is neither an event, an artifact nor the end", "既不是事件、工件，也不是结尾"),
    "why_too_long": ("the line is longer than {most} bytes", "该行超过 {most} 字节"),
    "why_not_json": ("it is not JSON in UTF-8", "不是 UTF-8 编码的 JSON"),
    "why_not_object": ("it is not a JSON object", "不是 JSON 对象"),
    "why_not_export": ("it is not an exported run", "不是导出的运行"),
    "why_bad_id": ("the run's id is not one", "运行编号无效"),
    "why_not_event": ("it is not an event ({cause})", "不是事件（{cause}）"),
    "why_not_following": (
        "the event was altered or does not follow the one before it",
        "该事件被改动，或不接在前一条之后",
    ),
    "why_start": ("a run begins with run_started, once", "运行必须以 run_started 开始，且仅一次"),
    "why_other_promise": (
        "the event names the promise {id}, the run is about {own}",
        "该事件指向承诺 {id}，而运行的承诺是 {own}",
    ),
    "why_not_base64": ("the artifact is not base64", "工件不是 base64"),
    "why_bad_artifact": (
        "the artifact does not match its digest, or no event names it",
        "工件与其摘要不符，或没有事件引用它",
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
    "cannot_read": ("{name} can't be read ({why}); check the path", "无法读取 {name}（{why}）；请检查路径"),
    "cannot_write": (
        "{name} can't be written ({why}); choose another file, nothing was left behind",
        "无法写入 {name}（{why}）；请换一个文件，没有留下残余",
    ),
}
