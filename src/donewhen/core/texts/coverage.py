"""What is said about coverage."""

TEXTS = {
    "diff_unreadable": (
        "the diff of the change can't be read at its line {line}; compare with `git diff` by hand",
        "变更的 diff 在第 {line} 行无法读取；请手动用 `git diff` 对比",
    ),
    "short": (
        "tests execute {changed} % of the changed lines, {threshold} % are asked for",
        "测试执行了 {changed} % 的变更行，要求为 {threshold} %",
    ),
    "fell": (
        "tests execute {total} % of all lines, which may not fall below {floor} %",
        "测试执行了全部行的 {total} %，不得低于 {floor} %",
    ),
    "nothing_to_run": (
        "no changed line can be executed, so there is nothing to cover",
        "没有可执行的变更行，因此无需覆盖",
    ),
    "uncovered": ("no test executes these changed lines: {lines}", "没有测试执行这些变更行：{lines}"),
    "unexecuted": (
        "no test executed {count} of {of} changed lines: {places}",
        "{of} 个变更行中有 {count} 行没有被任何测试执行：{places}",
    ),
    "not_measured": (
        "no test loads this file, it is not in the coverage report: {lines}",
        "没有测试加载此文件，覆盖率报告中没有它：{lines}",
    ),
    "add_a_test": ("add a test that executes {file}:{lines}", "添加一个执行 {file}:{lines} 的测试"),
    "left_out": (
        "the file is not in the coverage report, because the project's settings leave it out",
        "该文件不在覆盖率报告中，因为项目的设置将其排除",
    ),
    "unreadable": (
        "{form} can't be read as a coverage report ({why}); run the tests by hand and look at it",
        "{form} 无法作为覆盖率报告读取（{why}）；请手动运行测试并查看",
    ),
    "why_form": ("it does not have this form", "格式不符"),
    "why_large": ("it is too large", "过大"),
    "other_tree": (
        "the coverage report is for another tree: {file} has no line {line}; measure this tree again",
        "覆盖率报告属于另一个代码树：{file} 没有第 {line} 行；请重新测量此代码树",
    ),
    "other_files": (
        "the coverage report is for another tree: it names no file of this one; measure this tree again",
        "覆盖率报告属于另一个代码树：其中没有此树的文件；请重新测量此代码树",
    ),
    "stale": (
        "the coverage report {file} is older than the test run, so it is for another tree; have the tests write it again",
        "覆盖率报告 {file} 早于测试运行，因此属于另一个代码树；请让测试重新写入",
    ),
    "nothing": (
        "the test run left no coverage data for {languages}; check that `{tool}` can see the processes it starts",
        "测试运行没有留下 {languages} 的覆盖率数据；请检查 `{tool}` 能否看到它启动的进程",
    ),
    "nothing_of": (
        "the tests left no coverage data for {languages}, though the change has {file}; "
        "have them run it, or write an lcov or cobertura report",
        "测试没有留下 {languages} 的覆盖率数据，但该变更包含 {file}；请让测试运行它，或写出 lcov 或 cobertura 报告",
    ),
    "lacks": ("{languages} could not be measured: {why}", "无法测量 {languages}：{why}"),
    "require": (
        "{why}; add coverage to the project's test requirements",
        "{why}；请将 coverage 加入项目的测试依赖",
    ),
    "no_way": (
        "there is no way to measure {languages} with `{command}`; "
        "have the tests write an lcov or cobertura report",
        "无法用 `{command}` 测量 {languages} 的覆盖率；请让测试写出 lcov 或 cobertura 报告",
    ),
    "no_vitest": (
        "vitest can't measure coverage without its provider",
        "vitest 没有覆盖率提供程序，无法测量",
    ),
}
