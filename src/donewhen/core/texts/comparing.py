"""What the comparison of tests says where the rule's own sentence would not tell what happened."""

TEXTS: dict[str, tuple[str, str]] = {
    "weaker": (
        "the test {test} demands less than before: {now} stands for {before}",
        "测试 {test} 的要求比以前低：{now} 代替了 {before}",
    ),
    "subject": (
        "the test {test} asks something else now: {now} stands for {before}",
        "测试 {test} 现在检查的是别的东西：{now} 代替了 {before}",
    ),
    "rowless": (
        "the test {test} went into {now}, where no row has the values of {before}",
        "测试 {test} 并入了 {now}，但其中没有一行包含 {before} 的值",
    ),
    "rows": (
        "the test {test} has {now} rows where it had {before}",
        "测试 {test} 的参数表由 {before} 行变为 {now} 行",
    ),
    "unreached": (
        "the test {test} no longer calls {before} or anything else that it called",
        "测试 {test} 不再调用 {before}，也不再调用以前调用的其他内容",
    ),
    "patched": (
        "{now} puts something else in the place of {before}, which {test} is there to test",
        "{now} 替换了 {before}，而它正是 {test} 要测试的内容",
    ),
    "stand_in": (
        "{file} defines {now} itself, so that its tests no longer ask the product",
        "{file} 自行定义了 {now}，测试不再检查产品本身",
    ),
    "prepared": (
        "{file} prepares something else for its tests: {before} is gone",
        "{file} 为测试准备的内容变了：{before} 不见了",
    ),
    "recorded": (
        "{file} is a part of the exam and changed, though no product code did",
        "{file} 是考试的一部分，它被改动而产品代码没有变化",
    ),
    "recorded_gone": (
        "{file} is a part of the exam and is gone, though no product code changed",
        "{file} 是考试的一部分，它已不存在而产品代码没有变化",
    ),
    "deleted_more": (
        "{count} more tests of {file} are gone",
        "{file} 中还有 {count} 个测试已被删除",
    ),
    "ignores": (
        "{now} and others, {count} in this file, silence a checker",
        "{now} 等共 {count} 处让检查器不再报告",
    ),
    "base_failed": (
        "the base's tests fail on the new code, and the tests that the change edited don't explain it",
        "基线的测试在新代码上失败，而改动所编辑的测试不能解释这一点",
    ),
    "not_satisfied": (
        "{test} failed before the change, and its base version still fails: the test was changed instead",
        "{test} 在改动前就失败，其基线版本仍然失败：被修改的是测试本身",
    ),
    "no_tests": (
        "the goal orders tests ({order}), and the change brings none",
        "目标要求编写测试（{order}），而改动没有带来任何测试",
    ),
    "unsound_tests": (
        "the goal orders tests, and those that the change brings can't fail because of the product; see {test}",
        "目标要求编写测试，而改动带来的测试不会因产品代码而失败；见 {test}",
    ),
    "tests_wanted": (
        "bring tests that run, call the product itself and assert what it gives",
        "请提供会运行、调用产品代码本身并断言其结果的测试",
    ),
}
