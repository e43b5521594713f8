"""What is said about a human's change of a promise, and about a confirmation."""

TEXTS: dict[str, tuple[str, str]] = {
    # help
    "help": ("Change what RUN has to prove; shown as a diff first.", "修改 RUN 须证明的内容；先显示差异。"),
    "help_promise": (
        "A promise file; the keys that it gives replace those of the promise.",
        "承诺文件；其中给出的键替换承诺的相应部分。",
    ),
    "help_accept": ("A further acceptance command.", "追加一条验收命令。"),
    "help_drop": (
        "Take out an entry: a check, criterion, command, permit, glob or condition.",
        "删除一项：检查、准则、命令、许可、路径模式或条件。",
    ),
    "help_optional": ("Make a todo optional.", "把一个待办改为可选。"),
    "help_permit": (
        "Permit what integrity would refuse, e.g. tests/old/**.",
        "许可完整性检查会拒绝的内容，例如 tests/old/**。",
    ),
    "help_scope": ("A further glob that the run may write.", "追加一个允许写入的路径模式。"),
    "help_reason": ("Why, for the ledger.", "写入账本的原因。"),
    "help_yes": ("Do it without asking.", "不再询问，直接执行。"),
    "help_confirm_all": ("answer yes to every question that waits here", "对这里等待的每个问题都回答“是”"),
    "help_because": ("why; it stands in the acceptance record", "理由；写入验收记录"),
    "confirm_usage": (
        "give ids of questions (q-…), or a run and the text that its promise wants confirmed",
        "请给出问题编号（q-…），或一次运行及其承诺要求确认的文本",
    ),
    "help_confirm": (
        "Answer questions about a change (q-…), or confirm TEXT, which the promise of RUN wants from a human.",
        "回答关于改动的问题（q-…），或确认 RUN 的承诺要求由人确认的 TEXT。",
    ),
    # the diff
    "entry": ("{sign} {part}: {text}", "{sign} {part}：{text}"),
    "changed": ("{sign} {part}: {was} → {text}", "{sign} {part}：{was} → {text}"),
    "part_objective": ("objective", "目标"),
    "part_acceptance": ("criterion", "准则"),
    "part_accept": ("acceptance command", "验收命令"),
    "part_checks": ("check", "检查"),
    "part_allowed_scope": ("may write", "允许写入"),
    "part_disallowed_scope": ("may not write", "禁止写入"),
    "part_required_evidence": ("evidence", "证据"),
    "part_permits": ("permit", "许可"),
    "part_done_when": ("done when", "完成条件"),
    "part_abort_when": ("abort when", "中止条件"),
    "part_answer_only": ("only an answer is owed", "只需回答"),
    "todo_line": ("~ todo {todo}: required → optional", "~ 待办 {todo}：必需 → 可选"),
    "head": ("the promise of run {run} would change:", "运行 {run} 的承诺将改为："),
    "weaker_head": ("what it then asks less strictly:", "此后要求放宽之处："),
    "weaker_line": ("! {what}", "! {what}"),
    # what gets weaker
    "less_criterion": ("criterion {name} need not be met any more", "准则 {name} 不再需要满足"),
    "less_evidence_of": ("criterion {name} asks for less evidence", "准则 {name} 要求的证据减少"),
    "less_accept": ("`{name}` need not pass any more", "`{name}` 不再需要通过"),
    "less_check": ("the check {name} is gone, optional or looser", "检查 {name} 被删除、改为可选或放宽"),
    "less_scope_all": ("the run may write everywhere in the workspace", "运行可以写入工作区的任何位置"),
    "less_scope": ("the run may also write {name}", "运行还可以写入 {name}"),
    "less_disallowed": ("{name} is no longer closed to the run", "{name} 不再对运行关闭"),
    "less_evidence": ("the evidence {name} is not asked for any more", "不再要求证据 {name}"),
    "less_permit": ("integrity lets pass: {name}", "完整性检查将放行：{name}"),
    "less_done": ("it is done without: {name}", "无需以下条件即可完成：{name}"),
    "less_abort": ("it no longer aborts on: {name}", "以下情况不再中止：{name}"),
    "less_answer": ("an answer suffices, nothing has to run", "只需回答，无需运行任何内容"),
    "less_todo": ("the todo {todo} need not be done", "待办 {todo} 不再需要完成"),
    "still_asked": (
        "{place} still asks for {name}, which nothing gives any more",
        "{place} 仍要求 {name}，但已没有任何内容能提供它",
    ),
    # outcomes
    "question": ("change the promise? [y/N] ", "修改承诺吗？[y/N] "),
    "not_changed": ("nothing was changed", "未作任何修改"),
    "done": ("the promise of run {run} is changed", "运行 {run} 的承诺已修改"),
    "asked": (
        "run {run} is being executed: it takes the change at its next step",
        "运行 {run} 正在执行：它会在下一步采纳此修改",
    ),
    "waits": (
        "earlier changes wait for run {run}: this one is taken after them when the run is resumed",
        "运行 {run} 还有更早的修改在等待：恢复运行时将在其后采纳此修改",
    ),
    "noted_optional": (
        "{who} made the todo {todo} optional: {reason}",
        "{who} 把待办 {todo} 改为可选：{reason}",
    ),
    "no_reason": ("no reason given", "未说明原因"),
    # errors
    "nothing": (
        "nothing to change is given; use --promise FILE, --accept, --drop, --optional, --permit or --scope",
        "没有给出要修改的内容；请使用 --promise FILE、--accept、--drop、--optional、--permit 或 --scope",
    ),
    "no_difference": (
        "the promise of run {run} says all of this already; `donewhen show {run}` shows it",
        "运行 {run} 的承诺已经包含这些内容；`donewhen show {run}` 可查看",
    ),
    "ended": (
        "run {run} has ended ({state}); its promise can't be changed, start a new run",
        "运行 {run} 已结束（{state}）；无法修改其承诺，请开始新的运行",
    ),
    "no_promise": (
        "run {run} has no promise yet; try again once it has begun to plan",
        "运行 {run} 尚无承诺；请在其开始计划后再试",
    ),
    "needs_yes": (
        "this is no terminal, so it can't ask; look at the diff and add --yes",
        "这里不是终端，无法询问；请查看差异并加上 --yes",
    ),
    "unknown_entry": (
        "the promise of the run has no entry {name}; it has: {known}",
        "该运行的承诺没有条目 {name}；现有：{known}",
    ),
    "ambiguous_entry": (
        "{name} names several entries of the promise; say which: {known}",
        "{name} 对应承诺的多个条目；请指明：{known}",
    ),
    "other_id": (
        "{place} is the promise {id}, the run's is {own}; leave the id out to change the run's promise",
        "{place} 是承诺 {id}，而运行的承诺是 {own}；要修改运行的承诺，请省略 id",
    ),
    "file_todos": (
        "{place} has todos, which are the plan's and not the promise's; take them out, or use --optional TODO",
        "{place} 含有待办，它们属于计划而非承诺；请移除，或使用 --optional TODO",
    ),
    "invalid": (
        "the promise would be invalid: {why}; nothing was changed",
        "承诺将无效：{why}；未作任何修改",
    ),
    "nothing_to_prove": (
        "the promise would leave nothing that has to be run or verified; keep a command or a check, or end the run",
        "承诺将不再有任何须运行或验证的内容；请保留一条命令或检查，或结束该运行",
    ),
    "odd_request": (
        "request {number} to run {run} is no change of a promise as donewhen writes it; it is ignored",
        "发给运行 {run} 的请求 {number} 不是 donewhen 写下的承诺修改；已忽略",
    ),
    "long_reason": ("the reason is too long; at most {most} characters", "原因过长；最多 {most} 个字符"),
    "too_much": (
        "the change is too large; at most {most} entries of {longest} characters each",
        "修改过大；最多 {most} 项，每项不超过 {longest} 个字符",
    ),
    # confirm
    "confirmed": ("confirmed for run {run}: {text}", "已为运行 {run} 确认：{text}"),
    "confirmed_before": ("it was confirmed before: {text}", "此前已确认：{text}"),
    "confirm_asked": (
        "run {run} is being executed: it takes the confirmation at its next step",
        "运行 {run} 正在执行：它会在下一步采纳此确认",
    ),
    "confirm_waits": (
        "an earlier confirmation waits for run {run}: this one is taken after it when the run is resumed",
        "运行 {run} 还有更早的确认在等待：恢复运行时将在其后采纳此确认",
    ),
    "confirm_none": ("the promise of run {run} needs no confirmation", "运行 {run} 的承诺不要求任何人工确认"),
    "confirm_unknown": (
        "the promise of run {run} does not ask to confirm that; it asks for: {known}",
        "运行 {run} 的承诺没有要求确认这一项；它要求：{known}",
    ),
    "confirm_ended": (
        "run {run} has ended ({state}); nothing of it waits for a confirmation",
        "运行 {run} 已结束（{state}）；没有等待确认的内容",
    ),
}
