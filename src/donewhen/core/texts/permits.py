"""Why a finding is allowed all the same, and what is wrong with a permit."""

TEXTS: dict[str, tuple[str, str]] = {
    "by_person": ("permitted: {permit}", "已许可：{permit}"),
    "goal_removes": ("the goal orders its removal: {words}", "目标要求删除：{words}"),
    "goal_skips": ("the goal orders to switch it off: {words}", "目标要求停用：{words}"),
    "goal_tests": ("the goal orders this test to change: {words}", "目标要求修改该测试：{words}"),
    "goal_tests_any": ("the goal orders the tests to be updated: {words}", "目标要求更新测试：{words}"),
    "goal_value": ("the goal asks for {value}: {words}", "目标要求 {value}：{words}"),
    "goal_behaviour": ("the goal changes what it tests: {words}", "目标改变了它所测试的行为：{words}"),
    "goal_form": (
        "the goal changes how it is called, the test demands the same: {words}",
        "目标改变了它的调用方式，测试的要求未变：{words}",
    ),
    "goal_names": ("the goal asks for it by name: {words}", "目标点名要求：{words}"),
    "empty": (
        "the permit {text} names no files; write RULE=GLOB or GLOB, such as test-deleted=tests/old/**",
        "许可 {text} 未指明文件；请写 RULE=GLOB 或 GLOB，例如 test-deleted=tests/old/**",
    ),
    "unknown_rule": (
        "the permit {text} names no rule that exists; the rules are {rules}",
        "许可 {text} 中的规则不存在；可用规则：{rules}",
    ),
    "misspelt_rule": (
        "the permit {text} names no rule that exists; did you mean {near}? The rules are {rules}",
        "许可 {text} 中的规则不存在；是否想写 {near}？可用规则：{rules}",
    ),
    "takes_away": (
        "the permit {text} starts with “!”, which takes away and permits nothing; name the files to permit",
        "许可 {text} 以“!”开头，只会排除而不许可任何文件；请写出要许可的文件",
    ),
}
