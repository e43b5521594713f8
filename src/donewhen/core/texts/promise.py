"""What is said about promises."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_id": (
        "the promise's id {id!r} is not of the form cp-<milliseconds>-<4 hex digits>; leave it out to get one",
        "承诺的 id {id!r} 不是 cp-<毫秒>-<4 位十六进制> 的形式；省略它即可自动生成",
    ),
    "no_objective": (
        "the promise has no objective; say in one sentence what is to be reached",
        "承诺没有目标；请用一句话说明要达到什么",
    ),
    "hollow_accept": (
        "the acceptance command `{command}` succeeds whatever the code does, so it proves nothing; "
        "name the command that runs the tests",
        "验收命令 `{command}` 无论代码如何都会成功，什么也证明不了；请指明运行测试的命令",
    ),
    "no_criterion": (
        "the promise has no criterion; give at least one under acceptance, with id and description",
        "承诺没有任何准则；请在 acceptance 下至少给出一条，含 id 和 description",
    ),
    "criterion_no_id": ("criterion {entry} has no id; give it one", "准则 {entry} 没有 id；请补上"),
    "criterion_no_text": (
        "criterion {entry} has no description; say what must be true",
        "准则 {entry} 没有 description；请说明什么必须成立",
    ),
    "bad_mode": (
        "criterion {entry} has the evidence_mode {mode!r}; it is any or all",
        "准则 {entry} 的 evidence_mode 为 {mode!r}；只能是 any 或 all",
    ),
    "criterion_no_evidence": (
        "criterion {entry} requires no evidence of its own; it is met when all checks pass",
        "准则 {entry} 不要求自己的证据；所有检查通过即视为满足",
    ),
    "bad_condition": (
        "there is no condition of type {type!r}; the types are {known}",
        "没有类型为 {type!r} 的条件；可用类型：{known}",
    ),
    "bad_checkpoint": (
        "gate-passed can't wait for {target!r}; the checkpoints are {known}",
        "gate-passed 不能等待 {target!r}；可用的检查点：{known}",
    ),
    "bad_budget": (
        "budget-exhausted can't watch {target!r}; it is one of {known}, or empty for any of them",
        "budget-exhausted 不能监视 {target!r}；可选 {known}，留空表示任意一项",
    ),
    "no_done_when": (
        "done_when is empty, so the default holds: all criteria met",
        "done_when 为空，按默认处理：所有准则都满足",
    ),
    "no_abort_when": (
        "abort_when is empty: nothing protects this run but its limits",
        "abort_when 为空：除各项上限外没有任何保护",
    ),
    "glob_in_both": (
        "the pattern {glob!r} is both in allowed_scope and disallowed_scope; it stays disallowed",
        "模式 {glob!r} 同时在 allowed_scope 和 disallowed_scope 中；按不允许处理",
    ),
    "duplicate_criterion": (
        "the criterion id {entry!r} is used more than once; give each its own",
        "准则 id {entry!r} 重复；请各用不同的 id",
    ),
    "undeclared_criterion": (
        "done_when waits for the criterion {target!r}, which is not declared, so it can never hold",
        "done_when 等待未声明的准则 {target!r}，因此永远不会成立",
    ),
    "undeclared_evidence": (
        "done_when waits for the evidence {target!r}, which no criterion requires",
        "done_when 等待证据 {target!r}，但没有准则要求它",
    ),
    "unknown_evidence": (
        "the evidence {target!r} is of no known kind, so it can never be present; kinds are {known}",
        "证据 {target!r} 不属于任何已知种类，因此永远不会出现；种类有 {known}",
    ),
    "not_an_object": ("{place} must be an object with named fields", "{place} 必须是带字段名的对象"),
    "not_a_list": ("{place} must be a list", "{place} 必须是列表"),
    "not_text": ("{place} must be text", "{place} 必须是文本"),
    "not_texts": ("{place} must be a list of texts", "{place} 必须是文本列表"),
    "not_bool": ("{place} must be true or false", "{place} 必须是 true 或 false"),
    "unknown_key": (
        "{place} has the unknown field {key!r}; its fields are {known}",
        "{place} 有未知字段 {key!r}；可用字段：{known}",
    ),
}
