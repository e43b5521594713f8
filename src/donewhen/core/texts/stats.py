"""The key figures, their targets, and what became of accepted changes later."""

TEXTS: dict[str, tuple[str, str]] = {
    # -- help ------------------------------------------------------------------------------------
    "help_check": (
        "Exit 1 and notify when a key figure misses its target.",
        "有关键指标未达标时以 1 退出并通知。",
    ),
    "help_audit": (
        "Look in the repositories whether accepted changes were reverted since.",
        "查看各仓库：已接受的更改后来是否被撤销。",
    ),
    "help_ci": (
        "Write down what CI said later about the accepted change of RUN.",
        "记下 CI 事后对 RUN 已接受更改的结论。",
    ),
    "help_note": ("A remark or address that is kept with --ci.", "随 --ci 保存的备注或地址。"),
    # -- figures ---------------------------------------------------------------------------------
    "figures": ("KEY FIGURES", "关键指标"),
    "col_figure": ("FIGURE", "指标"),
    "col_value": ("VALUE", "数值"),
    "col_target": ("TARGET", "目标"),
    "col_runs": ("RUNS", "运行"),
    "col_verdict": ("VERDICT", "结论"),
    "success": ("success rate", "成功率"),
    "corrections": ("corrections per run", "每个运行的修正次数"),
    "handed_over": ("handed over to a human", "移交人工"),
    "time": ("time per run (median)", "每个运行的时间（中位数）"),
    "cost": ("cost per run", "每个运行的费用"),
    "compression": ("compression of history", "历史压缩比"),
    "verification": ("verification pass rate", "验证通过率"),
    "met": ("met", "达标"),
    "missed": ("missed", "未达标"),
    "few": ("missed, too few runs", "未达标，运行太少"),
    "unknown": ("no data", "无数据"),
    # -- check -----------------------------------------------------------------------------------
    "check_missed": ("key figures that miss their target: {names}", "未达标的关键指标：{names}"),
    "check_few": (
        "not failed for {names}: a figure of fewer than {least} runs decides nothing (stats.least_runs)",
        "未因 {names} 判为失败：不足 {least} 个运行的指标不作数（stats.least_runs）",
    ),
    "check_no_data": (
        "no key figure is known yet, so none can miss its target; they come with runs that ended",
        "尚无任何关键指标，因此没有未达标；有运行结束后才会产生",
    ),
    "check_met": (
        "no key figure misses its target; without data: {unknown}",
        "没有未达标的关键指标；无数据：{unknown}",
    ),
    "check_all_met": ("every key figure meets its target", "所有关键指标均达标"),
    "notice": ("key figures miss their target: {names}", "关键指标未达标：{names}"),
    "notice_line": (
        "{name}: {value} (target {target}, runs {runs})",
        "{name}：{value}（目标 {target}，{runs} 个运行）",
    ),
    "not_told": ("{name} was not notified: {why}", "未能通知 {name}：{why}"),
    # -- what became of accepted changes ---------------------------------------------------------
    "audits": ("ACCEPTED, AND LATER", "接受之后"),
    "audits_told": (
        "CI failed {failed}, CI passed {passed}, not reported {silent} (`donewhen audit RUN --ci failed` reports it)",
        "CI 失败 {failed}，CI 通过 {passed}，未告知 {silent}（用 `donewhen audit RUN --ci failed` 告知）",
    ),
    "audits_looked": (
        "reverted {reverted}, in use {stands}, not merged {waiting}, gone {gone}, unknown {unknown}",
        "已撤销 {reverted}，仍在用 {stands}，未合并 {waiting}，已消失 {gone}，无从判断 {unknown}",
    ),
    "audits_not_looked": (
        "whether changes were reverted since: `donewhen stats --audit` looks",
        "更改后来是否被撤销：用 `donewhen stats --audit` 查看",
    ),
    "audits_bounded": (
        "only the newest {looked} of {accepted} accepted changes were looked for",
        "只查看了 {accepted} 个已接受更改中最新的 {looked} 个",
    ),
    "doubted_line": ("{run}: {word}, commit {commit}", "{run}：{word}，提交 {commit}"),
    "ci_failed": ("CI failed", "CI 失败"),
    "ci_passed": ("CI passed", "CI 通过"),
    "reverted": ("reverted by {by}", "被 {by} 撤销"),
    "gone": ("on no branch any more, squashed or dropped", "已不在任何分支上，被压缩合并或丢弃"),
    # -- audit --ci ------------------------------------------------------------------------------
    "told": ("{run}: {word}, written down", "{run}：{word}，已记下"),
    "ci_not_accepted": (
        "{run} is not accepted ({state}), so CI has said nothing about an accepted change; `donewhen list --reason accepted` names runs that are",
        "{run} 未被接受（{state}），CI 无从对已接受的更改下结论；`donewhen list --reason accepted` 列出已接受的运行",
    ),
    "ci_needs_run": (
        "--ci is about one run; name it: `donewhen audit RUN --ci failed`",
        "--ci 针对一个运行；请指明：`donewhen audit RUN --ci failed`",
    ),
    "note_needs_ci": (
        "--note is kept with --ci; say `--ci passed` or `--ci failed` as well",
        "--note 随 --ci 保存；请同时给出 `--ci passed` 或 `--ci failed`",
    ),
    "note_long": (
        "--note is longer than {most} characters; give the address of the CI run instead of its output",
        "--note 超过 {most} 个字符；请给出 CI 运行的地址而不是其输出",
    ),
}
