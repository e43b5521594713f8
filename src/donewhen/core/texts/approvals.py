"""What is said about questions to a human and their answers."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_question": (
        "--run, --always and --note go with a question; name it, `donewhen approve` lists those that wait",
        "--run、--always 和 --note 要与问题一起使用；请指明问题，`donewhen approve` 会列出待答的问题",
    ),
    # on the terminal of a run
    "head": ("question {ask}: may this happen? ({tool})", "问题 {ask}：可以执行吗？（{tool}）"),
    "reason": ("why it is asked: {reason}", "询问原因：{reason}"),
    "rule": ("rule: {rule}", "规则：{rule}"),
    "instead": ("what the agent may do instead: {instead}", "代理可以改为：{instead}"),
    "cut": ("… {count} characters are not shown …", "…… 有 {count} 个字符未显示 ……"),
    "lasting": ("always would allow exactly: {text}", "“总是”将只允许：{text}"),
    "elsewhere": (
        "or answer elsewhere: donewhen approve {ask} | donewhen deny {ask}",
        "也可在别处回答：donewhen approve {ask} | donewhen deny {ask}",
    ),
    "choices": (
        "[o]nce, for this [r]un, [n]o (n REASON tells the agent why): ",
        "[o] 仅此一次，[r] 本次运行，[n] 不（n 原因 会告诉代理）：",
    ),
    "choices_always": (
        "[o]nce, for this [r]un, [a]lways, [n]o (n REASON tells the agent why): ",
        "[o] 仅此一次，[r] 本次运行，[a] 总是，[n] 不（n 原因 会告诉代理）：",
    ),
    "not_a_choice": (
        "o allows it this once, r for the rest of this run, a (where it is offered) always; n denies it, and the agent reads what follows n",
        "o 准许这一次，r 在本次运行余下时间内准许，a（若提供）总是准许；n 拒绝，n 之后的文字会告诉代理",
    ),
    # what became of a question
    "no_answer": (
        "nobody answered question {ask}, so it was denied this time",
        "无人回答问题 {ask}，因此这次拒绝",
    ),
    "timed_out": (
        "nobody answered question {ask} within {seconds} seconds, so it was denied",
        "{seconds} 秒内无人回答问题 {ask}，因此拒绝",
    ),
    "waiting": (
        "question {ask} waits for an answer; `donewhen approve {ask}` or `donewhen deny {ask}` gives it, then resume the run",
        "问题 {ask} 等待回答；用 `donewhen approve {ask}` 或 `donewhen deny {ask}` 回答，然后恢复运行",
    ),
    "denied": ("it was denied", "已被拒绝"),
    "noted": ("question {ask} was answered by {who}{note}", "问题 {ask} 由 {who} 回答{note}"),
    "note": (": {text}", "：{text}"),
    "at_terminal": ("the terminal of the run", "运行所在的终端"),
    "answered_elsewhere": (
        "question {ask} was answered elsewhere, by {who}",
        "问题 {ask} 已由 {who} 在别处回答",
    ),
    "late": (
        "the answer of {who} to question {ask} ({answer}) came too late and was not used",
        "{who} 对问题 {ask} 的回答（{answer}）来得太晚，未被采用",
    ),
    "not_lasting": (
        "`always` can't be kept for question {ask}, because no rule would allow exactly this; it holds for this run",
        "问题 {ask} 的“总是”无法保存，因为没有规则能恰好只允许它；仅对本次运行有效",
    ),
    "kept": ("rule {rule} was written to your configuration", "规则 {rule} 已写入你的配置"),
    "not_kept": (
        "rule {rule} of question {ask} was not kept, so it holds for this run: {why}",
        "问题 {ask} 的规则 {rule} 未能保存，仅对本次运行有效：{why}",
    ),
    "rule_reason": ("answered `always` to question {ask} on {at}", "于 {at} 对问题 {ask} 回答“总是”"),
    # the user's file
    "by_hand": (
        "{place} can't be extended safely ({why}); add this under guardrails, rules by hand: {rule}",
        "无法安全地扩展 {place}（{why}）；请手工在 guardrails 的 rules 下加入：{rule}",
    ),
    "why_flow": ("its rules are written in brackets", "其规则写在括号内"),
    "why_shape": ("its layout is unusual", "其写法不常见"),
    "why_broken": ("it is not in order: {problem}", "文件有误：{problem}"),
    "why_name": ("another rule is named {name}", "已有另一条规则名为 {name}"),
    "why_meanwhile": ("somebody changed it meanwhile", "期间有人改动了它"),
    "why_refused": ("the rule would not load: {problem}", "该规则无法加载：{problem}"),
    "unwritable": (
        "{place} can't be written ({why}); make it writable, or add this rule by hand: {rule}",
        "无法写入 {place}（{why}）；请改为可写，或手工加入该规则：{rule}",
    ),
    # donewhen approve, donewhen deny
    "no_ask": (
        "there is no question {ask}; `donewhen approve` lists the open ones",
        "没有问题 {ask}；`donewhen approve` 列出未回答的问题",
    ),
    "which_ask": (
        "ASK is empty; `donewhen approve` lists the open questions",
        "ASK 为空；`donewhen approve` 列出未回答的问题",
    ),
    "ambiguous": (
        "{ask} begins the ids of several questions ({some}); give more of the id",
        "有多个问题以 {ask} 开头（{some}）；请多写几位",
    ),
    "answered": (
        "question {ask} was already answered by {who} at {at} ({answer}); nothing was changed",
        "问题 {ask} 已由 {who} 于 {at} 回答（{answer}）；未作改动",
    ),
    "ended": (
        "question {ask} belongs to run {run}, which has ended ({state}); it can't be answered any more",
        "问题 {ask} 属于已结束（{state}）的运行 {run}；不能再回答",
    ),
    "one_scope": ("give either --run or --always, not both", "--run 与 --always 只能给一个"),
    "long_note": (
        "--note is longer than {most} characters; make it shorter",
        "--note 超过 {most} 个字符；请缩短",
    ),
    "allowed_once": ("question {ask} is allowed this once", "问题 {ask} 已准许，仅此一次"),
    "allowed_run": (
        "question {ask} is allowed for the rest of run {run}",
        "问题 {ask} 已准许，在运行 {run} 余下时间内有效",
    ),
    "allowed_always": (
        "question {ask} is allowed always; the run writes the rule to your configuration",
        "问题 {ask} 已总是准许；运行会把规则写入你的配置",
    ),
    "refused": ("question {ask} is denied", "问题 {ask} 已拒绝"),
    "refused_plan": (
        "the plan of question {ask} is denied; as no --note says why, run {run} ends",
        "问题 {ask} 的计划已拒绝；由于没有用 --note 说明原因，运行 {run} 将结束",
    ),
    "refused_plan_why": (
        "the plan of question {ask} is denied; the agent reads why",
        "问题 {ask} 的计划已拒绝；原因会告诉代理",
    ),
    "plan_always": (
        "question {ask} is about a plan, and no rule can allow plans; approve it without --always",
        "问题 {ask} 是关于计划的，没有规则可以准许计划；请不带 --always 批准",
    ),
    "plan_below": ("a plan, see below", "计划，见下文"),
    "plan_waits": ("it waits for your yes", "等待你的同意"),
    "plan_head": ("The plan of question {ask}:", "问题 {ask} 的计划："),
    "nobody_executes": (
        "run {run} is not running now; the answer takes effect when it is resumed",
        "运行 {run} 当前未在执行；回答会等到它恢复时生效",
    ),
    "none_open": ("no question waits for an answer", "没有等待回答的问题"),
    "unreadable_run": (
        "the questions of run {run} can't be read; `donewhen audit {run}` says why",
        "无法读取运行 {run} 的问题；`donewhen audit {run}` 说明原因",
    ),
    "allow": ("allowed", "准许"),
    "deny": ("denied", "拒绝"),
    "by_human": ("a human", "人"),
    "by_harness": ("the harness", "框架"),
    "by_agent": ("the agent", "代理"),
    "by_hook": ("a hook", "钩子"),
    "col_ask": ("QUESTION", "问题"),
    "col_run": ("RUN", "运行"),
    "col_waits": ("ASKED", "提问于"),
    "col_action": ("ACTION", "操作"),
    "col_reason": ("WHY", "原因"),
}
