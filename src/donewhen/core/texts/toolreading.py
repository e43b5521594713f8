"""What is said when a tool of a gate printed something that its reader does not understand."""

TEXTS: dict[str, tuple[str, str]] = {
    "nothing": (
        "{tool} printed nothing where it promises {form}; run it by hand to see why",
        "{tool} 本应输出 {form}，却没有任何输出；请手动运行查看原因",
    ),
    "not_json": (
        "what {tool} printed is no JSON ({place}), it begins with `{start}`; run it by hand to see why",
        "{tool} 的输出不是 JSON（{place}），开头是 `{start}`；请手动运行查看原因",
    ),
    "too_long": (
        "{tool} printed more than {most} MB, which is not read; narrow what it looks at",
        "{tool} 的输出超过 {most} MB，不予读取；请缩小其检查范围",
    ),
    "shape": (
        "the JSON of {tool} is not as its reader knows it: {place} is not {wanted};"
        " check that the tool's version is supported",
        "{tool} 的 JSON 与读取器已知的格式不符：{place} 不是 {wanted}；请确认该工具的版本受支持",
    ),
    "line": (
        "line {line} of what {tool} printed is not understood: `{start}`; run it by hand to see why",
        "无法理解 {tool} 输出的第 {line} 行：`{start}`；请手动运行查看原因",
    ),
    "cut": (
        "what {tool} printed ends before its last line, {wanted}; run it by hand to see why",
        "{tool} 的输出在末行（{wanted}）之前中断；请手动运行查看原因",
    ),
    "gave_up": (
        "{tool} could not do its work: {said}; fix that and verify again",
        "{tool} 未能完成工作：{said}；请修复后重新验证",
    ),
    "not_junit": (
        "what {tool} printed is no JUnit report, it begins with `{start}`; run it by hand to see why",
        "{tool} 的输出不是 JUnit 报告，开头是 `{start}`；请手动运行查看原因",
    ),
    "version": (
        "{tool} printed SARIF of version {version}, only 2.1 is read; let it write SARIF 2.1.0",
        "{tool} 输出了 SARIF {version} 版，仅支持 2.1；请让其输出 SARIF 2.1.0",
    ),
    "pattern": (
        "the gate's pattern is no regular expression: {why}; correct `pattern` in the configuration",
        "该质量门的 pattern 不是有效的正则表达式：{why}；请修正配置中的 `pattern`",
    ),
}
