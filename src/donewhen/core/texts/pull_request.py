"""What pull requests say to whoever reviews them."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_title": ("Work of run {run}", "运行 {run} 的成果"),
    "accepted": (
        "The run {run} was **accepted**: every required check is proved on the tree {tree}, which is what this "
        "branch holds.",
        "运行 {run} **已验收**：所有必需的检查都已在树 {tree} 上得到证明，本分支的内容就是该树。",
    ),
    "handed_over": (
        "The run {run} was **not accepted** and is handed over to you (cause: {cause}). What it made so far is on "
        "this branch; nothing of it counts as proved until the run is accepted.",
        "运行 {run} **未通过验收**，现移交给你（原因：{cause}）。目前的成果在本分支上；在验收之前，其中没有任何内容算作已证明。",
    ),
    "head_promise": ("Promise", "承诺"),
    "head_proofs": ("Criteria, checks, evidence", "标准、检查与证据"),
    "head_gates": ("Gates and review", "质量门与评审"),
    "head_files": ("Changed files", "变更的文件"),
    "head_cost": ("Cost", "花费"),
    "head_check": ("How to check this", "如何核对"),
    "head_resume": ("How to go on", "如何继续"),
    "head_missing": ("Missing proofs", "缺少的证明"),
    "head_feedback": ("Feedback, most severe first", "反馈（最严重的在前）"),
    "summary": ("What the agent said of it", "代理的说明"),
    "criterion": ("Criterion → check", "标准 → 检查"),
    "status": ("Status", "状态"),
    "evidence": ("Evidence", "证据"),
    "status_passed": ("passed", "通过"),
    "status_failed": ("failed", "失败"),
    "status_pending": ("pending", "待证明"),
    "status_stale": ("stale", "已过期"),
    "status_masked": ("masked", "被掩盖"),
    "check": (
        "Fetch {branch}; `git rev-parse HEAD^{{tree}}` must say {tree}, and `donewhen audit --record FILE` compares "
        "the acceptance record with the tree, with the ledger where it is at hand, and with its signature.",
        "取得 {branch}；`git rev-parse HEAD^{{tree}}` 应显示 {tree}，`donewhen audit --record FILE` "
        "会将验收记录与该树、本机的账本（如有）及其签名进行比对。",
    ),
    "record": ("Acceptance record (in-toto statement)", "验收记录（in-toto 声明）"),
    "record_elsewhere": (
        "The acceptance record is not shown here: sha256 {digest}, kept as {name} in the state folder of the "
        "machine that ran it.",
        "验收记录未在此显示：sha256 {digest}，以 {name} 保存在执行该运行的机器的状态文件夹中。",
    ),
    "more": ("and {count} more", "另有 {count} 项"),
    "cut": (
        "Parts were left out because a forge takes no more; `donewhen report {run}` shows all.",
        "因平台长度限制，部分内容未列出；`donewhen report {run}` 可查看全部。",
    ),
    "cost": (
        "{spent} of {budget} dollars, {turns} turns, {calls} tool calls, {seconds} s",
        "{spent} 美元（预算 {budget} 美元），{turns} 轮，{calls} 次工具调用，{seconds} 秒",
    ),
    "cost_open": (
        "{spent} dollars, {turns} turns, {calls} tool calls, {seconds} s",
        "{spent} 美元，{turns} 轮，{calls} 次工具调用，{seconds} 秒",
    ),
    "event": ("event {seq}", "事件 {seq}"),
}
