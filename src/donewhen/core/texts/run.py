"""Texts of `donewhen run` for people who follow it."""

TEXTS: dict[str, tuple[str, str]] = {
    "asked": (
        "the run waits for you: {action} — answer with `donewhen approve {ask}` or `donewhen deny {ask}`",
        "运行正在等待你：{action} — 用 `donewhen approve {ask}` 或 `donewhen deny {ask}` 回答",
    ),
    "bad_budget": (
        "--budget needs an amount in dollars of 0 or more, for example --budget 2.50",
        "--budget 需要不小于 0 的美元金额，例如 --budget 2.50",
    ),
    "branch": ("Branch: {branch} ({commit})", "分支：{branch}（{commit}）"),
    "changed": ("Changed: {files}", "改动：{files}"),
    "cost": (
        "Run {run}: turns {turns}, tool calls {calls}, attempts {attempts}, {money} of {budget}, {time}, sandbox: {sandbox}",
        "运行 {run}：{turns} 轮，{calls} 次工具调用，{attempts} 次尝试，{money} / {budget}，{time}，沙箱：{sandbox}",
    ),
    "cut": (
        "stopped: run {run}, {spent} spent; `donewhen resume {run}` undoes what was under way and goes on",
        "已停止：运行 {run}，已花费 {spent}；`donewhen resume {run}` 会撤销未完成的操作并继续",
    ),
    "models": ("Model: {models}", "模型：{models}"),
    "exam": ("the harness ran {command}", "程序自行运行了 {command}"),
    "kept": ("Workspace: {path}", "工作区：{path}"),
    "next": ("Next: {step}", "下一步：{step}"),
    "no_signal": ("(an answer, no claim)", "（只是回答，未声明完成）"),
    "nobody_reads": (
        "nobody reads this output any more; the run goes on, `donewhen logs {run} -f` follows it",
        "已无人读取此输出；运行继续进行，可用 `donewhen logs {run} -f` 跟踪",
    ),
    "next_merge": ("git merge {branch}", "git merge {branch}"),
    "next_show": ("donewhen show {run}", "donewhen show {run}"),
    "not_confined": ("not confined", "未隔离"),
    "record": ("Record: {path}", "记录：{path}"),
    "refused": ("not accepted yet", "尚未验收"),
    "rolled_back": (
        "taken back, because it broke what had passed: {reason}",
        "已撤回，因为它破坏了原本通过的内容：{reason}",
    ),
    "said_no": ("a human said no{note}", "人工拒绝{note}"),
    "state_done": ("done", "完成"),
    "state_executing": ("working", "工作中"),
    "state_fail": ("failed", "失败"),
    "state_idle": ("idle", "空闲"),
    "state_merging": ("shipping", "交付中"),
    "state_parsing": ("reading", "读取中"),
    "paused": ("paused", "已暂停"),
    "paused_interrupted": ("you stopped it", "被你停止"),
    "paused_nobody": ("it waits until somebody lets it go on", "等待有人让其继续"),
    "state_paused": ("paused", "已暂停"),
    "state_planning": ("planning", "计划中"),
    "state_validating": ("proving", "验证中"),
    "used_again": (
        "{command}: result used again (run {run})",
        "{command}：沿用先前的结果（运行 {run}）",
    ),
    "used_again_here": ("{command}: result used again", "{command}：沿用先前的结果"),
    "work": (
        "Not accepted work is kept as commit {commit} (git show {commit})",
        "未验收的工作保存为提交 {commit}（git show {commit}）",
    ),
    "workspace": ("Workspace {path}, result goes to {branch}", "工作区 {path}，结果将进入 {branch}"),
}
