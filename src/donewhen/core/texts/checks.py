"""What is said about accept checks."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_a_list": ("{place} must be a list of checks", "{place} 必须是检查列表"),
    "not_an_object": (
        "{place} is neither an object nor part of a list of plain texts; write every check as an object with kind and target",
        "{place} 既不是对象，也不属于纯文本列表；请把每项检查写成含 kind 和 target 的对象",
    ),
    "required_not_bool": (
        "{place}: required must be true or false",
        "{place}：required 必须是 true 或 false",
    ),
    "no_kind": (
        "{place} has no kind; add one, e.g. command_success",
        "{place} 没有 kind；请补上，例如 command_success",
    ),
    "unknown_kind": (
        "{place}: there is no kind {kind!r}; the kinds are {known}",
        "{place}：没有 {kind!r} 这种检查；可用：{known}",
    ),
    "unknown_match": (
        "{place}: there is no match {match!r}; it is one of {known}",
        "{place}：没有匹配方式 {match!r}；可用：{known}",
    ),
    "not_text": ("{place}: {key} must be text", "{place}：{key} 必须是文本"),
    "params_not_object": (
        "{place}: params must be an object with text values",
        "{place}：params 必须是值为文本的对象",
    ),
    "no_command": (
        "{place}: command_success needs a target, the command that must pass",
        "{place}：command_success 需要 target，即必须通过的命令",
    ),
    "no_target": ("{place}: {kind} needs a target", "{place}：{kind} 需要 target"),
    "outside": (
        "{place}: the target {target!r} is not a path inside the workspace; give one relative to its root",
        "{place}：目标 {target!r} 不在工作区内；请给出相对于根目录的路径",
    ),
    "contains_or_regex": (
        "{place}: content_contains needs exactly one of params.contains and params.regex",
        "{place}：content_contains 需要且只能有 params.contains 或 params.regex 之一",
    ),
    "bad_regex": (
        "{place}: params.regex is no valid pattern ({problem})",
        "{place}：params.regex 不是有效的正则（{problem}）",
    ),
    "no_tool": (
        "{place}: tool_fact needs params.tool, the verifier's name",
        "{place}：tool_fact 需要 params.tool，即验证器名称",
    ),
    "proves_nothing": (
        "{place}: {text!r} is neither a command nor a path, so it only asks for an answer and proves nothing; write it as an object with kind and target",
        "{place}：{text!r} 既不是命令也不是路径，只要求有回答，不能证明任何事；请写成含 kind 和 target 的对象",
    ),
    "costly_regex": (
        "{place}: params.regex is too long or could take too much time; use params.contains or a test",
        "{place}：params.regex 过长或可能耗时过久；请改用 params.contains 或测试",
    ),
    "dead_key": (
        "{place}: {key} means nothing for {kind}; take it out (it takes: {known})",
        "{place}：{key} 对 {kind} 没有意义；请删去（可用：{known}）",
    ),
    "unknown_verifier": (
        "{place}: the {kind} asks for {name}, and nobody here verifies that; did you mean {near}? (a verifier comes from `verification.verifiers`, a gate or a plugin)",
        "{place}：{kind} 要求 {name}，但这里没有谁验证它；是否想写 {near}？（验证器来自 `verification.verifiers`、检查门或插件）",
    ),
    "misspelt": (
        "{place} has the unknown field {key!r}; did you mean {near}?",
        "{place} 有未知字段 {key!r}；是否想写 {near}？",
    ),
}
