"""What became of the strength of changed tests."""

TEXTS: dict[str, tuple[str, str]] = {
    "running": ("running changed tests on mutants of the product", "在产品的变异体上运行改动过的测试"),
    "lost": (
        "{names}: {count} of {mutants} small breakages of the product are no longer noticed, which were before, such as\n{diff}",
        "{names}：原先能发现的问题，改动之后不再发现：{mutants} 个变异体中的 {count} 个，例如\n{diff}",
    ),
    "fewer": (
        "{names}: fewer assertions that compare with a value or expect an error than before, or fewer rows",
        "{names}：与值比较或预期错误的断言，或参数行，比以前少",
    ),
    "lost_and_fewer": ("{fewer}; {lost}", "{fewer}；{lost}"),
    "gone": (
        "{names}: gone or switched off, and what the others notice could not be measured ({why})",
        "{names}：已移除或被关闭，且无法测量其余测试能发现什么（{why}）",
    ),
    "unread": (
        "{files}: no test function or assertion is known there, so whether less is demanded was not checked",
        "{files}：其中没有可识别的测试函数或断言，因此无人检查要求是否变少",
    ),
    "fewer_ran": (
        "{now} tests run where {before} ran with the tests as they stood, and which are gone is not known",
        "按原先的测试会运行 {before} 个，现在只运行 {now} 个，且无法得知少了哪些",
    ),
    "fewer_and_gone": ("{fewer}; {gone}", "{fewer}；{gone}"),
    "wanted": (
        "let the tests notice what they noticed before, or say why less is enough",
        "让测试仍能发现以前能发现的问题，或说明为何更少就够了",
    ),
    "nothing_lost": (
        "{count} tests changed or removed, nothing lost in {mutants} mutants",
        "{count} 个测试被改动或移除，{mutants} 个变异体中没有丢失任何发现",
    ),
    "counted": (
        "{count} tests changed or removed; their strength is only counted, not measured: {why}",
        "{count} 个测试被改动或移除；其强度只经计数，未经测量：{why}",
    ),
    "no_runner": (
        "no runner is known that runs single tests of {language} quickly",
        "没有已知的运行器可以快速运行 {language} 的单个测试",
    ),
    "not_alone": ("these tests can't be run by themselves: {last}", "这些测试无法单独运行：{last}"),
    "no_lines": (
        "they execute no line of the product in their own process",
        "它们没有在自身进程中执行产品的任何代码行",
    ),
    "few_kills": (
        "as they stood they notice only {killed} of {mutants} mutants",
        "它们原先的版本只发现 {mutants} 个变异体中的 {killed} 个",
    ),
    "too_long": ("it takes longer than {seconds} s", "耗时超过 {seconds} 秒"),
}
