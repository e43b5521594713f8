"""What integrity says of settings and of files that answer for others, where a rule's own sentence is too general."""

TEXTS: dict[str, tuple[str, str]] = {
    "masked": (
        "{name} runs `{now}`, and its failure would not show; before, `{before}` decided",
        "{name} 运行 `{now}`，但其失败不会显现；以前由 `{before}` 决定结果",
    ),
    "less": (
        "{name} runs `{now}`, which proves less than `{before}` did: {detail}",
        "{name} 运行 `{now}`，证明的比 `{before}` 少：{detail}",
    ),
    "spoiled": (
        "{name} changes files or the environment before `{now}`, so that it is not the exam that `{before}` was",
        "{name} 在 `{now}` 之前改动了文件或环境，因此它不再是 `{before}` 那样的考试",
    ),
    "not_run": (
        "{name} runs `{now}`, which with {detail} runs no tests; before it was `{before}`",
        "{name} 运行 `{now}`，带有 {detail} 时不会运行测试；以前是 `{before}`",
    ),
    "gone": (
        "{name} in {file} does not run `{before}` any more",
        "{file} 中的 {name} 不再运行 `{before}`",
    ),
    "tampers": (
        "{name} in {file} changes what is tested before it is: {now}",
        "{file} 中的 {name} 在测试之前改动了被测内容：{now}",
    ),
    "cannot_fail": (
        "{name} in {file} ends well whatever happens, so it proves nothing",
        "{file} 中的 {name} 无论如何都会正常结束，因此什么也证明不了",
    ),
    "setting": (
        "{key} is now {now}, before it was {before}: {detail}",
        "{key} 现在是 {now}，以前是 {before}：{detail}",
    ),
    "variable": (
        "{file} sets {name} to {now}, which decides what the exam runs or loads",
        "{file} 将 {name} 设为 {now}，这会决定考试运行或加载什么",
    ),
    "line": (
        "{now} in {file} lets the exam pass or leaves tests out",
        "{file} 中的 {now} 会让考试通过或漏掉测试",
    ),
    "shrunk": ("{file} does not run for {now} any more", "{file} 不再针对 {now} 运行"),
    "phony": (
        "{now} in {file} is no longer .PHONY, so it does nothing where a file or folder has its name",
        "{file} 中的 {now} 不再是 .PHONY，存在同名文件或目录时它什么也不做",
    ),
    "not_compared": ("{file} could not be compared with the base: {why}", "无法将 {file} 与基线比较：{why}"),
    "broken": ("line {line} can't be read", "第 {line} 行无法读取"),
    "computed": ("the value of {key} is computed when it runs", "{key} 的值在运行时才计算"),
    "script": (
        "it runs the exam, and how it tells success from failure was changed",
        "它负责运行考试，而其判断成败的方式被改动",
    ),
    "turn": ("{now} decides only when it runs", "{now} 在运行时才起作用"),
    "hides_product": (
        "{file} is imported in place of {other}, so the tests no longer meet the product",
        "{file} 会代替 {other} 被导入，测试因此接触不到产品代码",
    ),
    "hides_makefile": ("make takes {file} instead of {other}", "make 会使用 {file} 而不是 {other}"),
    "done_target": (
        "where a file {file} lies, make takes the target {name} for done and runs nothing",
        "存在文件 {file} 时，make 认为目标 {name} 已完成而不运行任何命令",
    ),
    "ignored": ("{now} in {file} hides files from the change", "{file} 中的 {now} 使文件不再属于改动"),
}
