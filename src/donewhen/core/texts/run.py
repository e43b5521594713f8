"""Texts of `donewhen run` for people who follow it."""

TEXTS: dict[str, tuple[str, str]] = {
    "asked": (
        "the run waits for you: {action} — answer with `donewhen approve {ask}` or `donewhen deny {ask}`",
        "运行正在等待你：{action} — 用 `donewhen approve {ask}` 或 `donewhen deny {ask}` 回答",
    ),
    "branch": ("Branch: {branch} ({commit})", "分支：{branch}（{commit}）"),
    "changed": ("Changed: {files}", "改动：{files}"),
    "cost": (
        "Run {run}: {turns} turns, {calls} tool calls, {attempts} attempts, ${money} of ${budget}, {seconds} s, sandbox: {sandbox}",
        "运行 {run}：{turns} 轮，{calls} 次工具调用，{attempts} 次尝试，${money} / ${budget}，{seconds} 秒，沙箱：{sandbox}",
    ),
    "exam": ("the harness ran {command}", "程序自行运行了 {command}"),
    "kept": ("Workspace: {path}", "工作区：{path}"),
    "next": ("Next: {step}", "下一步：{step}"),
    "next_merge": ("git merge {branch}", "git merge {branch}"),
    "next_show": ("donewhen show {run}", "donewhen show {run}"),
    "not_confined": ("not confined", "未隔离"),
    "record": ("Record: {path}", "记录：{path}"),
    "refused": ("not accepted yet", "尚未验收"),
    "rolled_back": (
        "taken back, because it broke what had passed: {reason}",
        "已撤回，因为它破坏了原本通过的内容：{reason}",
    ),
    "state_done": ("done", "完成"),
    "state_executing": ("working", "工作中"),
    "state_fail": ("failed", "失败"),
    "state_idle": ("idle", "空闲"),
    "state_merging": ("shipping", "交付中"),
    "state_parsing": ("reading", "读取中"),
    "state_paused": ("paused", "已暂停"),
    "state_planning": ("planning", "计划中"),
    "state_validating": ("proving", "验证中"),
    "work": (
        "Not accepted work is kept as commit {commit} (git show {commit})",
        "未验收的工作保存为提交 {commit}（git show {commit}）",
    ),
    "workspace": ("Workspace {path}, result goes to {branch}", "工作区 {path}，结果将进入 {branch}"),
}
