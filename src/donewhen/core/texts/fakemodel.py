"""What is said about the fake model endpoint and its scripts."""

TEXTS: dict[str, tuple[str, str]] = {
    "help": (
        "Play SCRIPT as a model endpoint on this machine: OpenAI, Anthropic, Gemini and Ollama.",
        "把 SCRIPT 作为本机的模型端点播放：OpenAI、Anthropic、Gemini 和 Ollama。",
    ),
    "help_port": ("The port; 0 takes a free one.", "端口；0 表示任选空闲端口。"),
    "help_host": ("The address to listen at.", "监听的地址。"),
    "help_key": ("The only key that is taken.", "唯一接受的密钥。"),
    "help_log": (
        "Append every request to FILE, one JSON object a line.",
        "把每个请求追加到 FILE，每行一个 JSON 对象。",
    ),
    "help_aside": (
        "Answer requests without tools, as for titles, with TEXT; the script does not count them.",
        "对不带工具的请求（例如生成标题）回答 TEXT，不消耗脚本。",
    ),
    "not_a_script": (
        "{place} is not a script, which is a list of answers or a mapping with `answers`; see docs/fake-model.md",
        "{place} 不是脚本；脚本是回答列表或含 `answers` 的映射，参见 docs/fake-model.md",
    ),
    "no_answers": (
        "{place} has no answers; list what the model says, one answer each",
        "{place} 没有回答；请逐条列出模型的回答",
    ),
    "unknown_key": (
        "{place} has the key `{key}`, which is not known here; choose from: {known}",
        "{place} 的键 `{key}` 在此未知；可用：{known}",
    ),
    "missing_key": ("{place} lacks `{key}`; add it", "{place} 缺少 `{key}`；请补上"),
    "wrong_type": (
        "{place}: `{key}` must be {wanted}; correct it",
        "{place}：`{key}` 必须是{wanted}；请修正",
    ),
    "unknown_value": (
        "{place}: `{key}` is `{value}`, which is not known; choose from: {known}",
        "{place}：`{key}` 的值 `{value}` 未知；可用：{known}",
    ),
    "empty_answer": (
        "{place} is an answer that says and does nothing; give it one of: {known}, or the fault `empty`",
        "{place} 的回答既无内容也无动作；请给出其中之一：{known}，或故障 `empty`",
    ),
    "two_actions": (
        "{place} is one answer with several actions ({keys}); give each an answer of its own, or list `calls`",
        "{place} 的一个回答含有多个动作（{keys}）；请分成多个回答，或列在 `calls` 下",
    ),
    "a_text": ("a text (numbers, dates, yes and no in quotes)", "文本（数字、日期、yes 和 no 要加引号）"),
    "a_map": ("a mapping of keys to values", "由键到值的映射"),
    "a_list": ("a list", "列表"),
    "a_whole": ("a whole number, {least} or more", "不小于 {least} 的整数"),
    "a_number": ("a number, 0 or more", "不小于 0 的数"),
    "a_bool": ("true or false", "true 或 false"),
    "a_text_or_map": ("a text or a mapping", "文本或映射"),
    "a_usage": (
        "true, `missing`, or a mapping with `factor` or with `input`, `output`, `cache_read`, `cache_write`",
        "true、`missing`，或含 `factor`、或含 `input`、`output`、`cache_read`、`cache_write` 的映射",
    ),
    "port_taken": (
        "can't listen at {host}:{port}: {why}; choose another --port, or 0 for a free one",
        "无法监听 {host}:{port}：{why}；请换一个 --port，或用 0 任选空闲端口",
    ),
    "no_log": (
        "can't write the log {place}: {why}; give another --log",
        "无法写入日志 {place}：{why}；请换一个 --log",
    ),
    "open_host": (
        "{host} can be reached from other machines; 127.0.0.1 is for this one alone",
        "其他机器也能访问 {host}；127.0.0.1 仅限本机",
    ),
    "playing": (
        "Playing {answers} answers of {script}; Ctrl-C ends it.",
        "正在播放 {script} 的 {answers} 个回答；按 Ctrl-C 结束。",
    ),
    "use_with": ("Use it with {what}:", "用于 {what}："),
    "asked": (
        "{method} {path} · {status} · {input} tokens in, {output} out",
        "{method} {path} · {status} · 输入 {input}，输出 {output} 个 token",
    ),
    "refused": ("{method} {path} · {status} · refused: {why}", "{method} {path} · {status} · 已拒绝：{why}"),
    "total": (
        "{requests} requests · {input} tokens in, {output} out · {left} answers not played",
        "{requests} 个请求 · 输入 {input}，输出 {output} 个 token · {left} 个回答未播放",
    ),
}
