"""What is said about what people hand in: goals, promise files, specs, projects."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_file": ("there is no file {place}; check the path", "没有文件 {place}；请检查路径"),
    "not_a_file": (
        "{place} is not a regular file; give the path of a text file",
        "{place} 不是普通文件；请给出文本文件的路径",
    ),
    "too_large": (
        "{place} is larger than {limit} KiB; shorten it or split it",
        "{place} 超过 {limit} KiB；请缩短或拆分",
    ),
    "not_utf8": (
        "{place} is not UTF-8 text; save it as UTF-8 and try again",
        "{place} 不是 UTF-8 文本；请以 UTF-8 保存后重试",
    ),
    "empty_goal": (
        "{place} is empty; say in a sentence what is to be reached",
        "{place} 为空；请用一句话说明要达到什么",
    ),
    "no_objective": (
        "{place} has no objective; give a GOAL, --spec or a promise file with one",
        "{place} 没有目标；请给出 GOAL、--spec 或含目标的承诺文件",
    ),
    "file_outside": (
        "{place} asks for {path}, which lies outside the workspace, so nothing checks it; name a path inside",
        "{place} 要求的 {path} 在工作区之外，不会被检查；请使用工作区内的路径",
    ),
    "promise_not_a_map": (
        "{place} is not a promise, which is a mapping with objective, acceptance, checks or accept; see `donewhen plan --json` for one",
        "{place} 不是承诺；承诺是含 objective、acceptance、checks 或 accept 的映射，可参考 `donewhen plan --json`",
    ),
    "no_acceptance": (
        "{place} has no section that says when it is done; add a heading such as `## Acceptance criteria` with a list below it",
        "{place} 没有说明何时算完成的小节；请添加如 `## 验收标准` 的标题，并在其下列出条目",
    ),
    "empty_acceptance": (
        "the acceptance section at {place} is empty; list below it what must be true and which commands must pass",
        "{place} 处的验收小节为空；请在其下列出必须成立的事项和必须通过的命令",
    ),
    "no_spec_name": (
        "--spec names nothing; give a file, a change folder or the id of a change",
        "--spec 没有内容；请给出文件、变更目录或变更编号",
    ),
    "not_openapi": (
        "{place} is no OpenAPI document, it has neither the key openapi nor swagger; give one, a Markdown page or an OpenSpec change, or use --promise for a promise file",
        "{place} 不是 OpenAPI 文档，既没有 openapi 键也没有 swagger 键；请给出 OpenAPI 文档、Markdown 页面或 OpenSpec 变更，承诺文件请用 --promise",
    ),
    "openapi_version": (
        "{place}: version {version!r} is not read; use OpenAPI 3.x or swagger 2.0",
        "{place}：不支持版本 {version!r}；请使用 OpenAPI 3.x 或 swagger 2.0",
    ),
    "openapi_not_map": (
        "{place}: {what} must be a mapping; correct it as OpenAPI asks",
        "{place}：{what} 必须是映射；请按 OpenAPI 的要求修正",
    ),
    "openapi_path": (
        "{place}: the path {path!r} does not start with a slash; correct it",
        "{place}：路径 {path!r} 没有以斜杠开头；请修正",
    ),
    "no_operation": (
        "{place} describes no operation; add at least one path with a method",
        "{place} 没有描述任何操作；请至少添加一个带方法的路径",
    ),
    "remote_ref": (
        "{place}: the reference {ref!r} leads out of the file, and nothing is fetched; put what it names into the file",
        "{place}：引用 {ref!r} 指向文件之外，这里不会去获取；请把其内容放进文件",
    ),
    "broken_ref": (
        "{place}: the reference {ref!r} names nothing in the file; correct it",
        "{place}：引用 {ref!r} 在文件中不存在；请修正",
    ),
    "made_up": ("default (no source gives one)", "默认（没有来源给出）"),
    "made_up_criterion": (
        "all acceptance commands and required checks pass: {objective}",
        "所有验收命令和必需检查均通过：{objective}",
    ),
    "made_up_answer": ("there is an answer to: {objective}", "已回答：{objective}"),
    "by_default": ("default", "默认"),
    "every_goal": ("every goal", "所有目标"),
    "answer_and_proof": (
        "{place} asks for {what}, but an answer only proves nothing; leave out --answer-only or that requirement",
        "{place} 要求 {what}，而仅回答不证明任何事；请去掉 --answer-only 或该要求",
    ),
    "nothing_to_prove": (
        "nothing in {place} or in this project can be proven; give --accept CMD, a promise file, or --answer-only",
        "{place} 和此项目中没有任何可证明的内容；请给出 --accept 命令、承诺文件，或 --answer-only",
    ),
    "nothing_to_prove_because": (
        "nothing in {place} can be proven, and {why}; or give --accept CMD, a promise file, or --answer-only",
        "{place} 中没有任何可证明的内容，而且{why}；或给出 --accept 命令、承诺文件，或 --answer-only",
    ),
    "nothing_to_prove_but": (
        "nothing in {place} can be proven, and this project has no test command; give --accept CMD (found here: {commands}), a promise file, or --answer-only",
        "{place} 中没有任何可证明的内容，此项目也没有测试命令；请给出 --accept 命令（此处有：{commands}）、承诺文件，或 --answer-only",
    ),
    "denied": ("{place}: {first}", "{place}：{first}"),
    "denied_more": (
        "{place}: {first}; and {count} more of this kind",
        "{place}：{first}；另有 {count} 个此类问题",
    ),
    "not_joined": (
        "only the project's tests are part of the promise; add others with --accept: {commands}",
        "承诺只包含项目的测试；其他命令可用 --accept 添加：{commands}",
    ),
    "manifest_broken": (
        "{file} can't be read, so its commands don't count; repair it",
        "无法读取 {file}，其中的命令不计入；请修复",
    ),
    "script_proves_nothing": (
        "{source} only prints or ends, so it proves nothing; let it run the tests",
        "{source} 只是输出或退出，不能证明任何事；请让它运行测试",
    ),
    "script_cannot_fail": (
        "{source} hides its failure, so it proves nothing; let it return the status of the tests",
        "{source} 掩盖了失败，不能证明任何事；请让它返回测试的状态",
    ),
    "script_never_ends": (
        "{source} watches and never ends, so it can't be an exam; add a script such as test:ci that runs once",
        "{source} 处于监视模式，不会结束，不能作为验收；请添加只运行一次的脚本，例如 test:ci",
    ),
    "only_named": (
        "{place} names {commands}, but counts only with two commands or more and an order to do some work; give --accept to make it count",
        "{place} 提到了 {commands}，但只有给出两条以上命令并要求完成某项工作时才算数；用 --accept 可使其生效",
    ),
    "nothing_but_named": (
        "nothing else in {place} or in this project can be proven: the goal names {commands}, but counts only with two commands or more and an order to do some work; give --accept CMD, a promise file, or --answer-only",
        "{place} 和此项目中没有其他可证明的内容：目标提到了 {commands}，但只有给出两条以上命令并要求完成某项工作时才算数；请给出 --accept 命令、承诺文件，或 --answer-only",
    ),
}
