"""What is said about scenarios of a spec and the tests that prove them."""

TEXTS: dict[str, tuple[str, str]] = {
    "passed": ("{id} is proven by {tests}", "{id} 已由 {tests} 证明"),
    "unlinked": (
        "no test names {id}: write `scenario: {id}` in a comment inside the test that shows it",
        "没有测试引用 {id}：请在证明它的测试内写注释 `scenario: {id}`",
    ),
    "failed": ("a test linked to {id} failed: {tests}", "与 {id} 关联的测试失败：{tests}"),
    "passes_at_base": (
        "{tests} is new and passes on the base's source as well, so it does not show {id}: make it fail without"
        " the change",
        "{tests} 是新测试，但在基线源码上同样通过，因此不能证明 {id}：请让它在没有此改动时失败",
    ),
    "not_executed": (
        "no machine report says that {tests} was executed, so {id} is not proven: let the acceptance command run"
        " it, with a report of its runner",
        "没有机器报告表明 {tests} 已执行，因此 {id} 未被证明：请让验收命令执行它，并输出运行器的报告",
    ),
    "hollow": (
        "{tests} asserts nothing that can fail, so it does not prove {id}: assert what the scenario promises",
        "{tests} 没有可能失败的断言，不能证明 {id}：请断言场景所承诺的内容",
    ),
    "disabled": (
        "{tests} does not count for {id} because of {now}: let it run and fail where it should",
        "{tests} 因 {now} 不计入 {id}：请让它真正运行，并在应当失败时失败",
    ),
    "no_test": (
        "{id} is named outside of any test, at {tests}: move the line into the test that shows it",
        "{id} 写在测试之外，位于 {tests}：请把该行移到证明它的测试内",
    ),
    "base_unknown": (
        "{tests} is new and could not be tried on the base's source, so it is not known whether it shows {id}: see why the base could not be examined",
        "{tests} 是新测试，但无法在基线源码上试运行，因此不知道它是否证明 {id}：请查看基线为何无法检验",
    ),
    "unread": (
        "{tests} is in a language that is not read here, and its report counts no assertions, so {id} is not"
        " proven: link a test in a language that is read, or use a runner that reports assertions",
        "{tests} 所用语言无法解析，其报告也未统计断言，因此 {id} 未被证明：请关联可解析语言的测试，或使用会报告断言数的运行器",
    ),
    "no_report": (
        "the exam left no machine report, so it is not known whether {tests} passed, and {id} is not proven: {how}",
        "考试没有留下机器报告，不知道 {tests} 是否通过，{id} 未被证明：{how}",
    ),
    "report_python": (
        "run pytest, or unittest with a Python that reads PYTHONPATH",
        "请使用 pytest，或用会读取 PYTHONPATH 的 Python 运行 unittest",
    ),
    "report_javascript": (
        "give an acceptance command that reports: node --test, jest --json, or vitest run --reporter=json",
        "请提供会输出报告的验收命令：node --test、jest --json 或 vitest run --reporter=json",
    ),
    "report_go": (
        "give `go test -json ./...` as acceptance command",
        "请以 `go test -json ./...` 作为验收命令",
    ),
    "report_rust": (
        "give `cargo test -- -Z unstable-options --format json` (nightly) as acceptance command, or a runner that"
        " writes JUnit XML with its file named in the command",
        "请以 `cargo test -- -Z unstable-options --format json`（nightly）作为验收命令，或使用会写 JUnit XML 并在命令中给出文件名的运行器",
    ),
    "report_java": (
        "run the tests through Maven or Gradle, which write JUnit XML",
        "请通过会写 JUnit XML 的 Maven 或 Gradle 运行测试",
    ),
    "report_other": (
        "let the runner write JUnit XML, with its file named in the command",
        "请让运行器写出 JUnit XML，并在命令中给出文件名",
    ),
}
