"""What is wrong with a file of cases."""

TEXTS: dict[str, tuple[str, str]] = {
    "cannot_read": (
        "{place} can't be read ({why}); give a file that can, or - for stdin",
        "无法读取 {place}（{why}）；请给出可读的文件，或用 - 表示标准输入",
    ),
    "too_large": (
        "{place} is larger than {limit} MiB; split it into smaller files",
        "{place} 超过 {limit} MiB；请拆成较小的文件",
    ),
    "too_many": (
        "{place} has more than {limit} lines; split it into smaller files",
        "{place} 超过 {limit} 行；请拆成较小的文件",
    ),
    "not_text": ("{place} is not UTF-8 text; save it as UTF-8", "{place} 不是 UTF-8 文本；请存为 UTF-8"),
    "not_json": (
        "{place} is not JSON ({why}); write one JSON object",
        "{place} 不是 JSON（{why}）；请写一个 JSON 对象",
    ),
    "too_deep": ("nested too deeply", "嵌套过深"),
    "not_object": (
        "{place} is JSON but not an object; write one JSON object",
        "{place} 是 JSON，但不是对象；请写一个 JSON 对象",
    ),
    "missing_field": ("{place} has no field `{field}`; add it", "{place} 缺少字段 `{field}`；请补上"),
    "wrong_type": (
        "the field `{field}` in {place} must be {kind}; correct it",
        "{place} 中的字段 `{field}` 必须是{kind}；请改正",
    ),
    "a_text": ("a text", "文本"),
    "a_boolean": ("true or false", "true 或 false"),
    "a_list": ("a list", "列表"),
    "an_object": ("an object", "对象"),
    "a_number": ("a whole number", "整数"),
    "empty": (
        "{place} holds no case; write one JSON object a line",
        "{place} 没有任何用例；请每行写一个 JSON 对象",
    ),
}
