"""What was permitted, test by test, and what is wrong with a permit."""

TEXTS: dict[str, tuple[str, str]] = {
    "by_person": ("permitted by {permit}: {tests}", "由 {permit} 许可：{tests}"),
    "removed": (
        "permitted by the goal: {test} needs {name}, which is gone",
        "目标许可：{test} 需要已移除的 {name}",
    ),
    "edited": (
        "permitted by the goal: {test} passes once it is edited as the goal says",
        "目标许可：{test} 按目标所述修改后通过",
    ),
    "empty": (
        "the permit {text} names nothing; write files such as tests/old/**, or a test such as tests/test_a.py::test_b",
        "许可 {text} 未指明任何内容；请写文件（如 tests/old/**）或测试（如 tests/test_a.py::test_b）",
    ),
    "rule": (
        "the permit {text} names a rule; permits name files or tests only: write {glob}",
        "许可 {text} 指明了规则；许可只写文件或测试：请写 {glob}",
    ),
    "takes_away": (
        "the permit {text} starts with “!”, which takes away and permits nothing; name the files to permit",
        "许可 {text} 以“!”开头，只会排除而不许可任何文件；请写出要许可的文件",
    ),
}
