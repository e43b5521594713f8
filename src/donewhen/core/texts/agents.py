"""What is said about agents and the files that they play."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_file": ("there is no script {place}; check the path", "没有脚本 {place}；请检查路径"),
    "not_a_file": (
        "the script {place} is not a regular file; give the path of a YAML file",
        "脚本 {place} 不是普通文件；请给出 YAML 文件的路径",
    ),
    "too_large": (
        "the script {place} is larger than {limit} KiB; shorten it or split it",
        "脚本 {place} 超过 {limit} KiB；请缩短或拆分",
    ),
    "not_utf8": (
        "the script {place} is not UTF-8 text; save it as UTF-8 and try again",
        "脚本 {place} 不是 UTF-8 文本；请以 UTF-8 保存后重试",
    ),
    "not_a_script": (
        "{place} is not a script, which is a mapping with `steps`; see docs/scripted.md",
        "{place} 不是脚本；脚本是含 `steps` 的映射，参见 docs/scripted.md",
    ),
    "no_steps": (
        "{place} has no steps; list under `steps` what the agent does, one turn each",
        "{place} 没有步骤；请在 `steps` 下逐轮列出智能体的动作",
    ),
    "unknown_key": (
        "{place} has the key `{key}`, which a script does not know; known here: {known}",
        "{place} 的键 `{key}` 在脚本中未知；此处可用：{known}",
    ),
    "missing_key": (
        "{place}: `{key}` lacks `{missing}`; add it",
        "{place}：`{key}` 缺少 `{missing}`；请补上",
    ),
    "wrong_type": (
        "{place}: `{key}` must be {wanted}; correct it",
        "{place}：`{key}` 必须是{wanted}；请修正",
    ),
    "two_actions": (
        "{place} is one step with several actions ({keys}); give each a step of its own, or list the tools under `calls`",
        "{place} 的一个步骤含有多个动作（{keys}）；请分成多个步骤，或在 `calls` 下列出工具",
    ),
    "args_alone": (
        "{place} gives `args` without `tool`; name the tool that they are for",
        "{place} 给出了 `args` 却没有 `tool`；请写出它们所属的工具",
    ),
    "empty_step": (
        "{place} is a step that does nothing; give it one of: {known}",
        "{place} 的步骤没有任何动作；请给出其中之一：{known}",
    ),
    "unknown_after_last": (
        "{place}: `after_last` is `{value}`, which is not known; choose one of: {known}",
        "{place}：`after_last` 的值 `{value}` 未知；请选择其中之一：{known}",
    ),
    "a_text": ("a text (numbers, dates, yes and no in quotes)", "文本（数字、日期、yes 和 no 要加引号）"),
    "a_map": ("a mapping of keys to values", "由键到值的映射"),
    "a_list_of_steps": ("a list of steps, each a mapping", "步骤列表，每个步骤是一个映射"),
    "a_list_of_calls": (
        "a list of calls, each with `tool` and `args`",
        "调用列表，每个调用含 `tool` 和 `args`",
    ),
}
