"""What the gate says about proofs: why one counts, and why another does not."""

TEXTS: dict[str, tuple[str, str]] = {
    "passed": ("proven on the current tree", "已在当前文件树上得到证明"),
    "still_running": ("it is still running", "仍在运行"),
    "tests_failed": ("its own summary reports {count} failed", "其自身的汇总报告 {count} 个失败"),
    "no_tests_ran": ("no test was executed", "没有执行任何测试"),
    "could_not_run": (
        "it could not run (exit {exit}), which proves nothing",
        "未能运行（退出码 {exit}），什么也没有证明",
    ),
    "ended_failed": ("it ended as failed", "以失败结束"),
    "exit_status": ("it ended with exit {exit}", "以退出码 {exit} 结束"),
    "flaky": (
        "red and green on the same tree: flaky, which is no pass",
        "同一文件树上有红有绿：不稳定，不算通过",
    ),
    "only_by_agent": ("only the agent ran it; the harness has not yet", "只有代理运行过；框架尚未运行"),
    "stale": ("the proof belongs to another tree; run it again", "证据属于另一个文件树；请重新运行"),
    "not_run": ("it was not run", "尚未运行"),
    "red_line": (
        "a line with several commands failed; run this one alone",
        "一行多个命令失败；请单独运行这一条",
    ),
    "not_verified": ("it was not verified", "尚未验证"),
    "verifier_failed": ("the verifier found problems", "验证器发现了问题"),
    "verifier_could_not": ("the verifier gave no pass ({verdict})", "验证器没有给出通过（{verdict}）"),
    "no_answer": ("the final answer has no visible text", "最终回答没有可见文本"),
    "nothing_changed": ("nothing in the workspace differs from the start", "工作区与开始时没有任何差别"),
    "no_file": ("{path} is not in the workspace", "工作区中没有 {path}"),
    "no_content": ("{path} does not hold what it must", "{path} 不含所要求的内容"),
    "scenarios_open": ("no passing test is linked to: {names}", "没有通过的测试与之关联：{names}"),
    "out_of_scope": ("changed outside the scope: {paths}; undo it", "改动超出范围：{paths}；请撤销"),
    "unconfirmed": (
        "{path} is not confirmed: read it back, or make it well-formed and not empty",
        "{path} 未确认：请读回，或使其格式正确且非空",
    ),
    "source_untested": (
        "changed source without a whole test run: {paths} ({reason})",
        "源码已改但没有完整的测试运行：{paths}（{reason}）",
    ),
    "source_untested_more": (
        "changed source without a whole test run: {paths} and {more} more ({reason})",
        "源码已改但没有完整的测试运行：{paths} 等另外 {more} 个（{reason}）",
    ),
    "integrity": ("the change made its own exam easier", "改动让自己的考试变容易了"),
    "missing_evidence": ("the promise still needs the evidence {name}", "承诺还需要证据 {name}"),
    "unmet_acceptance_met": ("not all criteria are met ({target})", "并非所有准则都已满足（{target}）"),
    "unmet_gate_passed": ("the checkpoint {target} has not allowed it", "检查点 {target} 尚未放行"),
    "unmet_evidence_present": ("the evidence {target} is not there", "缺少证据 {target}"),
    "unmet_user_confirmed": ("nobody has confirmed: {target}", "尚无人确认：{target}"),
    "check_open": ("{check}: {reason}", "{check}：{reason}"),
    "todo_open": ("the todo {todo} is not done", "待办 {todo} 未完成"),
    "todo_failed": ("the required todo {todo} failed", "必需的待办 {todo} 失败"),
    "softening_refused": (
        "the check {check} can't be softened or replaced; it stays as it is",
        "检查 {check} 不能放宽或替换；保持原样",
    ),
    "drop_refused": ("the check {check} can't be dropped; it stays", "检查 {check} 不能删除；予以保留"),
    "signal_missing": (
        "the answer has no completion signal; call complete when everything is proven, or go on working",
        "回答没有完成信号；一切得到证明后请调用 complete，否则继续工作",
    ),
    "repeats": ("the last turns repeat themselves; try another way", "最近几轮在重复；请换一种做法"),
    "harm": (
        "changed outside the workspace, in .git or in donewhen's own state: {paths}",
        "改动了工作区之外、.git 或 donewhen 自身的状态：{paths}",
    ),
}
