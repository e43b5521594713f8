"""What reading points at: for every rule, what was found and what would be acceptable."""

TEXTS: dict[str, tuple[str, str]] = {
    "base_tests_failed": (
        "{test} as it stood at the base fails on the new code",
        "基线版本的 {test} 在新代码上失败",
    ),
    "base_tests_failed_wanted": (
        "make it pass unchanged, or let the goal say that this behaviour changes",
        "请让它不经修改地通过，或在目标中说明该行为有变",
    ),
    "keyed_answer": (
        "{now}: these inputs and answers stand together in the tests and nowhere else",
        "{now}：这些输入和答案一起出现在测试中，别处没有",
    ),
    "keyed_answer_wanted": (
        "compute the answer, so that inputs no test has come out right as well",
        "请计算答案，使测试之外的输入也得到正确结果",
    ),
    "shim": ("{file} answers in place of {now}", "{file} 会代替 {now} 作答"),
    "shim_wanted": (
        "give it a name that neither the runner nor the standard library has",
        "请换一个与运行器和标准库都不同的名字",
    ),
    "startup_hook": ("{now} runs code before the exam begins", "{now} 会在考试开始前运行代码"),
    "startup_hook_wanted": ("let the exam start without it", "请让考试不依赖它启动"),
    "exit_call": ("{now} can end the exam with a status of its own", "{now} 可以用自己的退出码结束考试"),
    "exit_call_wanted": (
        "return or raise instead; only a program's entry point exits",
        "请改为返回或抛出异常；只有程序入口才退出",
    ),
    "always_equal": ("{now} makes an object equal to everything", "{now} 使对象与任何东西相等"),
    "always_equal_wanted": ("compare the values", "请比较实际的值"),
    "hidden_work": (
        "the exam passes only with {now}, which would not be shipped",
        "只有存在 {now} 时考试才通过，而它不会随改动交付",
    ),
    "hidden_work_wanted": (
        "commit what the tests need, or let them make it themselves",
        "请提交测试所需的内容，或让测试自行生成",
    ),
    "test_aware": ("{now} asks whether the code is being tested", "{now} 在询问代码是否正在被测试"),
    "test_aware_wanted": (
        "let the code do the same whether or not it is tested",
        "请让代码在测试与否时行为一致",
    ),
    "excluded": (
        "{now} takes code out of what tests, coverage or lint look at",
        "{now} 把代码排除在测试、覆盖率或检查器之外",
    ),
    "excluded_wanted": ("test or repair the code instead", "请改为测试或修复这些代码"),
    "owed": ("{place}: {message}; {wanted} [{rule}]", "{place}：{message}；{wanted} [{rule}]"),
    "before": ("before: {before}", "以前：{before}"),
    "heading": ("Integrity", "完整性"),
    "permit_hint": (
        "what is meant can be permitted: --permit GLOB, or in the promise",
        "有意为之的改动可以许可：--permit GLOB，或写在承诺中",
    ),
    "more": ("and {count} more", "以及另外 {count} 个"),
}
