"""What the tests that a change brings say of it, once they ran on the code that there was before."""

TEXTS: dict[str, tuple[str, str]] = {
    "proof": (
        "{count} new tests fail without this change: {names}",
        "没有此改动时 {count} 个新测试失败：{names}",
    ),
    "one_proof": ("1 new test fails without this change: {names}", "没有此改动时 1 个新测试失败：{names}"),
    "left_out": (
        "whether new tests fail without this change was left out: the exam takes long",
        "未检查新测试在没有此改动时是否失败：考试耗时较长",
    ),
    "not_run": (
        "the new tests could not be run without this change: {why}",
        "无法在没有此改动时运行新测试：{why}",
    ),
    "none": ("the goal asks for tests, and the change has none", "目标要求编写测试，而改动没有带来测试"),
    "ordered": (
        "the goal asks for tests, and every test of the change passes without the change too; add one that fails without it",
        "目标要求编写测试，而改动中的测试在没有此改动时也都通过；请提供一个没有改动就失败的测试",
    ),
    "only_own": (
        "only tests of this change were run, and all of them pass without the change too; add one that fails without it",
        "只运行了此改动自带的测试，而它们在没有此改动时也都通过；请提供一个没有改动就失败的测试",
    ),
    "scenarios": (
        "the promise has scenarios, and every test of the change passes without the change too; add one that fails without it",
        "承诺含有场景，而改动中的测试在没有此改动时也都通过；请提供一个没有改动就失败的测试",
    ),
    "weak": (
        "no new test was executed that could fail: let one compare a result with a value",
        "没有执行任何可能失败的新测试：请让其中一个把结果与某个值比较",
    ),
}
