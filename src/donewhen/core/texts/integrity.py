"""What integrity says: for every rule, what was found and what would be acceptable."""

TEXTS: dict[str, tuple[str, str]] = {
    "test_deleted": (
        "the test {test} is gone and nothing tests the same",
        "测试 {test} 已被删除，且没有其他测试覆盖同样的内容",
    ),
    "test_deleted_wanted": (
        "put it back, or ask for its removal in the goal",
        "请恢复它，或在目标中要求删除",
    ),
    "test_uncollected": (
        "the test {test} is still written here, but no runner finds it any more",
        "测试 {test} 仍在文件中，但运行器不再收集它",
    ),
    "test_uncollected_wanted": (
        "give file, class and function names that the runner collects",
        "请使用运行器会收集的文件名、类名和函数名",
    ),
    "test_skipped": ("the test {test} is switched off: {now}", "测试 {test} 被关闭：{now}"),
    "test_skipped_wanted": (
        "take the marker away and make the test pass",
        "请去掉标记并让测试通过",
    ),
    "test_focused": (
        "{now} leaves the other tests out",
        "{now} 使其他测试不再运行",
    ),
    "test_focused_wanted": ("take it away, so that all tests run", "请去掉它，让所有测试运行"),
    "test_emptied": (
        "the test {test} demands less than before: {before} is gone",
        "测试 {test} 的要求比以前少：{before} 不见了",
    ),
    "test_emptied_wanted": (
        "put the assertion back, or replace it by one at least as strict",
        "请恢复断言，或换成至少同样严格的断言",
    ),
    "test_hollow": (
        "{now} in {test} can't fail",
        "{test} 中的 {now} 不可能失败",
    ),
    "test_hollow_wanted": (
        "assert what the code must do",
        "请断言代码必须做到的事",
    ),
    "test_swallowed": (
        "{now} in {test} hides failures",
        "{test} 中的 {now} 掩盖了失败",
    ),
    "test_swallowed_wanted": ("let failed assertions end the test", "请让失败的断言结束测试"),
    "expected_changed": (
        "{test} now expects {now} instead of {before}",
        "{test} 现在期望 {now}，而不是 {before}",
    ),
    "expected_changed_wanted": (
        "make the code give what the test expected, or let the goal say that the expectation changes",
        "请让代码给出测试原来期望的结果，或在目标中说明期望有变",
    ),
    "fewer_tests": (
        "the exam executes {now} tests, with the base's tests it would be {before}",
        "考试执行了 {now} 个测试，用基线的测试则为 {before} 个",
    ),
    "fewer_tests_wanted": (
        "let every test of the base be found and run",
        "请让基线的所有测试都被找到并运行",
    ),
    "base_tests_failed": (
        "{test} as it stood at the base fails on the new code",
        "基线版本的 {test} 在新代码上失败",
    ),
    "base_tests_failed_wanted": (
        "make it pass unchanged, or let the goal say that this behaviour changes",
        "请让它不经修改地通过，或在目标中说明该行为有变",
    ),
    "command_weakened": (
        "{now} proves less than {before} did",
        "{now} 证明的比 {before} 少",
    ),
    "command_weakened_wanted": (
        "leave the command as it was, or make it stricter",
        "请保持命令原样，或使其更严格",
    ),
    "threshold_lowered": ("{now} is lower than {before}", "{now} 低于 {before}"),
    "threshold_lowered_wanted": (
        "leave the limit, and add the tests that reach it",
        "请保留限值，并补充能达到它的测试",
    ),
    "coverage_excluded": (
        "{now} takes code out of what coverage counts",
        "{now} 把代码排除在覆盖率统计之外",
    ),
    "coverage_excluded_wanted": ("test the code instead", "请改为测试这些代码"),
    "shim": (
        "{file} answers in place of {now}",
        "{file} 会代替 {now} 作答",
    ),
    "shim_wanted": (
        "give it a name that neither the runner nor the standard library has",
        "请换一个与运行器和标准库都不同的名字",
    ),
    "startup_hook": (
        "{now} runs code before the exam begins",
        "{now} 会在考试开始前运行代码",
    ),
    "startup_hook_wanted": (
        "let the exam start without it",
        "请让考试不依赖它启动",
    ),
    "exam_hook": (
        "{now} can change what the tests say",
        "{now} 可以改变测试的结论",
    ),
    "exam_hook_wanted": (
        "leave collection, outcome and assertions to the runner",
        "请把收集、结果和断言留给运行器",
    ),
    "exit_call": (
        "{now} can end the exam with a status of its own",
        "{now} 可以用自己的退出码结束考试",
    ),
    "exit_call_wanted": (
        "return or raise instead; only a program's entry point exits",
        "请改为返回或抛出异常；只有程序入口才退出",
    ),
    "exam_detected": (
        "{now} asks whether the code is being tested",
        "{now} 在询问代码是否正在被测试",
    ),
    "exam_detected_wanted": (
        "let the code do the same whether or not it is tested",
        "请让代码在测试与否时行为一致",
    ),
    "path_trick": (
        "{now} lets another program answer",
        "{now} 会让另一个程序作答",
    ),
    "path_trick_wanted": (
        "call the programs that the machine has",
        "请调用机器上已有的程序",
    ),
    "always_equal": (
        "{now} makes an object equal to everything",
        "{now} 使对象与任何东西相等",
    ),
    "always_equal_wanted": ("compare the values", "请比较实际的值"),
    "keyed_answer": (
        "{now} answers by inputs that only the tests have",
        "{now} 按只有测试才有的输入作答",
    ),
    "keyed_answer_wanted": (
        "compute the answer, so that inputs no test has come out right as well",
        "请计算答案，使测试之外的输入也得到正确结果",
    ),
    "hidden_work": (
        "the exam passes only with {now}, which would not be shipped",
        "只有存在 {now} 时考试才通过，而它不会随改动交付",
    ),
    "hidden_work_wanted": (
        "commit what the tests need, or let them make it themselves",
        "请提交测试所需的内容，或让测试自行生成",
    ),
    "flaky_exam": (
        "{now} passed once and failed when run again on the same tree",
        "{now} 在同一文件树上先通过后失败",
    ),
    "flaky_exam_wanted": (
        "make it pass every time",
        "请让它每次都通过",
    ),
    "not_compared": (
        "{file} could not be compared with the base: {now}",
        "无法将 {file} 与基线比较：{now}",
    ),
    "not_compared_wanted": (
        "make it readable, or permit it by path",
        "请使其可读，或按路径许可",
    ),
    "ignored_more": (
        "{now} hides files from the change",
        "{now} 使文件不再属于改动",
    ),
    "ignored_more_wanted": ("ignore only what is made by tools", "请只忽略工具生成的文件"),
    "ignores_spread": (
        "{now} silences a checker",
        "{now} 让检查器不再报告",
    ),
    "ignores_spread_wanted": ("repair what it reports", "请修复它所报告的问题"),
    "syntax": ("line {line} is no {language} that we can read", "第 {line} 行不是可读的 {language}"),
    "too_large": ("it has {size} bytes", "它有 {size} 字节"),
    "encoding": ("its text is not {encoding}", "其文本不是 {encoding}"),
    "binary": ("it is not text", "它不是文本"),
    "unknown_language": ("nobody here reads {suffix} files", "这里无法读取 {suffix} 文件"),
    "too_deep": ("it is nested too deeply", "嵌套过深"),
    "owed": ("{place}: {message}; {wanted} [{rule}]", "{place}：{message}；{wanted} [{rule}]"),
    "before": ("before: {before}", "以前：{before}"),
    "vouched": (
        "the base's own tests pass on the new code, so nothing was gained by it",
        "基线自己的测试在新代码上通过，因此没有从中得利",
    ),
    "heading": ("Integrity", "完整性"),
    "clean": ("nothing made the exam easier", "没有任何改动让考试变容易"),
    "ask": ("a person has to allow it", "需要有人许可"),
    "permit_hint": (
        "what is meant can be permitted: --permit GLOB, or in the promise",
        "有意为之的改动可以许可：--permit GLOB，或写在承诺中",
    ),
    "more": ("and {count} more", "以及另外 {count} 个"),
}
