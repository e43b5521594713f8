"""Texts of the engine: what the agent is told, and how a run ends."""

TEXTS = {
    "accept_blocked": ("the hook {hook} objects to acceptance: {reason}", "钩子 {hook} 反对验收：{reason}"),
    "accepted": (
        "proven by the harness (acceptance commands: {count}, and all checks) and committed to {branch}",
        "已由程序自行证明（{count} 条验收命令及全部检查），并提交到 {branch}",
    ),
    "agent_asks": ("the agent has a question", "代理提问"),
    "amended": (
        "the promise was amended by {who}; what is owed now is judged by the new one",
        "承诺已由 {who} 修改；今后按新的承诺判断",
    ),
    "answer_only": ("answer only, nothing proven", "仅为回答，未证明任何事"),
    "background_ended": (
        "background commands still ran when you said that you were done, and were ended: {handles}",
        "你声称完成时仍有后台命令在运行，已将其结束：{handles}",
    ),
    "blocked": ("blocked by the hook {hook}: {reason}", "被钩子 {hook} 阻止：{reason}"),
    "check_not_allowed": (
        "the check {check} is not part of the plan, because the guard would not allow its command: {reason}",
        "检查 {check} 未加入计划，因为守卫不允许其命令：{reason}",
    ),
    "claim_noted": (
        "noted; the harness now proves it, and tells what is missing",
        "已记录；现在由程序自行证明，并告知缺少什么",
    ),
    "denied": ("denied by the guard: {reason} (rule {rule})", "守卫拒绝：{reason}（规则 {rule}）"),
    "denied_by_human": ("a human said no: {reason} (rule {rule})", "人工拒绝：{reason}（规则 {rule}）"),
    "denied_instead": ("allowed instead: {instead}", "可以改为：{instead}"),
    "denied_said": ("answer: {text}", "答复：{text}"),
    "go_on": ("your answer was cut off; go on from there", "你的回答被截断；请从断处继续"),
    "hook_arguments": (
        "a hook changed the arguments to something that the tool does not take: {why}",
        "钩子把参数改成了工具不接受的内容：{why}",
    ),
    "human_agrees": ("yes", "是"),
    "mode_forced": (
        "one step at a time now ({reason}): name the todo you work on, stay in its files, test after each edit",
        "现在逐步进行（{reason}）：说明正在处理的待办，只改其文件，每次修改后测试",
    ),
    "mode_free": ("you may work as you like again", "可以重新自由工作"),
    "needs_yes": (
        "the promise is unusual: {issue} ({count} in all); look at it with `donewhen plan`, then give --yes",
        "承诺有不寻常之处：{issue}（共 {count} 处）；请用 `donewhen plan` 查看，然后加上 --yes",
    ),
    "no_calls_left": (
        "this call was not made: the tool calls of the run are used up",
        "该调用未执行：本次运行的工具调用次数已用完",
    ),
    "no_plan_made": (
        "the agent set no plan in {rounds} rounds; the work begins without one",
        "代理在 {rounds} 轮内没有制定计划；将在没有计划的情况下开始工作",
    ),
    "no_signal": (
        "that was neither a tool call nor the end; call a tool, or `complete` when the work is done "
        "(such answers left before the run ends: {left})",
        "这既不是工具调用也不是结束；请调用工具，或在完成时调用 `complete`（再有 {left} 次这样的回答运行就结束）",
    ),
    "no_todos": ("no todos yet", "还没有待办"),
    "nobody_answers": (
        "no human is there to answer; decide by yourself, or mark the todo as blocked (user_input_wait)",
        "没有人回答；请自行决定，或把待办标为阻塞（user_input_wait）",
    ),
    "not_while_planning": (
        "{tool} has to wait until the plan is made; set the plan with `plan_update`, then the work begins",
        "{tool} 要等计划完成后才能使用；请用 `plan_update` 写下计划，随后开始工作",
    ),
    "notice_completion": ("run {run} is accepted", "运行 {run} 已验收"),
    "notice_escalation": ("run {run} needs you: {cause}", "运行 {run} 需要你处理：{cause}"),
    "notice_pause": ("run {run} is paused: {cause}", "运行 {run} 已暂停：{cause}"),
    "objected": ("the hook {hook} objects: {reason}", "钩子 {hook} 提出异议：{reason}"),
    "plan_first": (
        "you work without a plan; if there are several steps, write them down with `todo_write` first",
        "你在没有计划的情况下工作；若有多个步骤，请先用 `todo_write` 写下来",
    ),
    "plan_after": ("after {names}", "在 {names} 之后"),
    "plan_asked": (
        "the agent's plan waits for your yes; a no with a reason asks for another plan, a no without one ends the run",
        "代理的计划等待你的同意；附原因的拒绝会要求新的计划，不附原因的拒绝会结束运行",
    ),
    "plan_asked_last": (
        "the agent's plan waits for your yes; it is the last one, a no ends the run",
        "代理的计划等待你的同意；这是最后一份计划，拒绝会结束运行",
    ),
    "plan_awaited": (
        "a human waits to read your plan; set it with `plan_update` before you do anything else",
        "有人在等待阅读你的计划；请先用 `plan_update` 写下计划",
    ),
    "plan_checks": ("Checks that the agent adds:", "代理增加的检查："),
    "plan_denied": (
        "a human read your plan and said no: {text}\n"
        "Plan once more with `plan_update`. Your plan is withdrawn: todos, checks and files are as they were before it; "
        "give again what still makes sense.",
        "有人阅读了你的计划并拒绝：{text}\n"
        "请用 `plan_update` 重新制定计划。你的计划已撤回：待办、检查和文件恢复到计划之前；"
        "仍有意义的请再次给出。",
    ),
    "plan_empty": (
        "The agent set no plan: no todos, no checks, no files.",
        "代理没有制定计划：没有待办、检查或文件。",
    ),
    "plan_files": ("Files that it expects to touch:", "预计改动的文件："),
    "plan_optional": ("optional", "可选"),
    "plan_paths": ("in {names}", "位于 {names}"),
    "plan_refused": ("What the run did not take over of it:", "其中未被采纳的部分："),
    "plan_todos": ("Todos:", "待办："),
    "plugin_failed": ("the tool {tool} failed by itself: {why}", "工具 {tool} 自身出错：{why}"),
    "preparing": ("preparing the workspace", "正在准备工作区"),
    "rescued": (
        "the work that was not accepted is kept as commit {commit}",
        "未验收的工作保存为提交 {commit}",
    ),
    "thinking_only": (
        "you only thought; call a tool, or `complete` when the work is done",
        "你只是在思考；请调用工具，或在完成时调用 `complete`",
    ),
    "timed_out": (
        "{tool} took longer than {seconds} s and was ended; ask for less, or try again: it gets more time then",
        "{tool} 超过 {seconds} 秒，已被结束；请缩小范围，或重试：下次会有更多时间",
    ),
    "went_round": (
        "{count} times back to the same state without a new proof, loop.max_state_cycles",
        "{count} 次回到同一状态而没有新的证明，见 loop.max_state_cycles",
    ),
    "not_announced": (
        "the run is accepted, but nobody could be told: {why}",
        "运行已被接受，但无法通知任何人：{why}",
    ),
    "budget_low": (
        "the budget runs low: {spent} of {most} dollars are spent",
        "预算即将用尽：已花费 {spent} 美元，共 {most} 美元",
    ),
    "notice_budget_warning": ("donewhen {run}: the budget runs low", "donewhen {run}：预算即将用尽"),
    "spec_at": ("The specification: {path}", "规格：{path}"),
    "unknown_agent": (
        "no agent is called {name}; known: {known}; `--script FILE` plays a script",
        "没有名为 {name} 的代理；已有：{known}；`--script FILE` 播放脚本",
    ),
}
