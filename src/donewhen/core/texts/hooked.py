"""What the hook of other agents says, to the agent or on stderr."""

TEXTS: dict[str, tuple[str, str]] = {
    "usage": (
        "usage: donewhen hook CLIENT [EVENT] [--deadline SECONDS], with the client's JSON on stdin; CLIENT is one of"
        " {clients}, EVENT one of {events}. Clients call this themselves: see `donewhen install CLIENT`",
        "用法：donewhen hook CLIENT [EVENT] [--deadline 秒数]，客户端的 JSON 从标准输入读取；CLIENT 为 {clients} 之一，"
        "EVENT 为 {events} 之一。此命令由客户端自行调用：参见 `donewhen install CLIENT`",
    ),
    "bad_words": (
        "donewhen hook was called with {words}, which it does not know; run `donewhen install CLIENT` again",
        "donewhen hook 收到了不认识的参数 {words}；请重新运行 `donewhen install CLIENT`",
    ),
    "bad_input": (
        "the client's JSON on stdin could not be used ({why}); run `donewhen doctor`",
        "无法使用客户端从标准输入给出的 JSON（{why}）；请运行 `donewhen doctor`",
    ),
    "input_unreadable": ("it could not be read", "无法读取"),
    "input_too_large": ("it is larger than {most} MB", "超过 {most} MB"),
    "input_not_json": ("it is not JSON", "不是 JSON"),
    "input_not_object": ("it is no JSON object", "不是 JSON 对象"),
    "input_too_deep": ("it is nested too deeply", "嵌套过深"),
    "input_field": ("its field {field} is missing or wrong", "字段 {field} 缺失或有误"),
    "relative_state": (
        "DONEWHEN_STATE_DIR is no absolute path; set it to one, or unset it",
        "DONEWHEN_STATE_DIR 不是绝对路径；请改为绝对路径或取消设置",
    ),
    "no_home": (
        "HOME is not set, so donewhen's state can't be found; set HOME or DONEWHEN_STATE_DIR",
        "未设置 HOME，找不到 donewhen 的状态文件夹；请设置 HOME 或 DONEWHEN_STATE_DIR",
    ),
    "failed": (
        "donewhen's hook failed at {event}, so nothing was checked: {why}",
        "donewhen 的钩子在 {event} 时失败，未做任何检查：{why}",
    ),
    "broken": (
        "donewhen is broken, so nothing is checked: {why}; install it again",
        "donewhen 已损坏，未做任何检查：{why}；请重新安装",
    ),
    "past_gaps": (
        "donewhen could not start in {count} earlier session(s): what was done there was not checked",
        "donewhen 在之前的 {count} 个会话中无法启动：其中的操作未经检查",
    ),
    "let_go": (
        "donewhen's hook failed {count} times in a row, so this stop was allowed unchecked and nothing is proven (hook_failed): {why}",
        "donewhen 的钩子已连续失败 {count} 次，本次停止未经检查，没有任何证明（hook_failed）：{why}",
    ),
    "bug": (
        "a bug of donewhen ({kind} at {place}); run `donewhen doctor` and report it",
        "donewhen 的缺陷（{kind}，位于 {place}）；请运行 `donewhen doctor` 并报告",
    ),
    "late": (
        "it took longer than {seconds} s; run `donewhen doctor`",
        "耗时超过 {seconds} 秒；请运行 `donewhen doctor`",
    ),
    "interrupted": ("it was interrupted", "已被中断"),
    "worker_failed": (
        "the step “{verb}” ended with exit code {code}; {log} has the details, or run `donewhen doctor`",
        "步骤“{verb}”以退出码 {code} 结束；详见 {log}，或运行 `donewhen doctor`",
    ),
    "worker_told": ("the step “{verb}” failed: {why}", "步骤“{verb}”失败：{why}"),
    "worker_answer": (
        "the step “{verb}” gave an answer that can't be used; {log} has the details, or run `donewhen doctor`",
        "步骤“{verb}”给出的回答无法使用；详见 {log}，或运行 `donewhen doctor`",
    ),
    "no_session": (
        "the session in {folder} could not be read; run `donewhen doctor`",
        "无法读取 {folder} 中的会话；请运行 `donewhen doctor`",
    ),
    "not_compiled": (
        "the session's configuration in {folder} is out of date and could not be compiled again; run `donewhen doctor`",
        "{folder} 中的会话配置已失效且无法重新生成；请运行 `donewhen doctor`",
    ),
    "no_ledger": (
        "the ledger {path} of this session is gone; start a new session of the client",
        "本会话的账本 {path} 已不存在；请在客户端开始新的会话",
    ),
    "denied": (
        "donewhen refuses this: {reason} (rule {rule}).{instead}",
        "donewhen 拒绝此操作：{reason}（规则 {rule}）。{instead}",
    ),
    "instead": (" Instead: {what}.", "可改为：{what}。"),
    "asks": (
        "donewhen asks before this: {reason} (rule {rule}).{instead}",
        "donewhen 需先询问：{reason}（规则 {rule}）。{instead}",
    ),
    "needs_human": (
        "donewhen wants a human to allow this, and can't ask here: {reason} (rule {rule}).{instead} Otherwise tell the"
        " user what is needed: the user can run it, or allow it by a rule with `action: allow` under"
        " `guardrails.rules` in the configuration.",
        "此操作须由人允许，而这里无法询问：{reason}（规则 {rule}）。{instead}否则请告诉用户所需的操作：用户可以自行运行，"
        "或在配置的 `guardrails.rules` 下添加 `action: allow` 规则予以允许。",
    ),
    "not_recorded": (" (This refusal could not be recorded: {why})", "（此次拒绝未能记录：{why}）"),
}
