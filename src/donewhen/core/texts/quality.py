"""What is said about quality gates."""

TEXTS: dict[str, tuple[str, str]] = {
    "heading": ("Quality", "质量"),
    "running": ("{gate}: {tool}", "{gate}：{tool}"),
    "running_base": ("{gate}: {tool} on the base", "{gate}：在基线上运行 {tool}"),
    "not_started": (
        "{tool} could not be started ({why}); run it by hand to see why",
        "无法启动 {tool}（{why}）；请手动运行查看原因",
    ),
    "timed_out": (
        "{tool} was still running after {seconds} s and was ended; give its gate a longer `timeout` in"
        " `verification.quality.gates`",
        "{tool} 运行 {seconds} 秒后仍未结束，已被终止；请在 `verification.quality.gates` 中为该门设置更长的 `timeout`",
    ),
    "crashed": (
        "{tool} ended with exit {exit} instead of a result ({said}); run it by hand to see why",
        "{tool} 没有给出结果，而是以退出码 {exit} 结束（{said}）；请手动运行查看原因",
    ),
    "base_could_not": (
        "what is new is not known, because on the base {why}",
        "无法判断哪些是新问题，因为在基线上：{why}",
    ),
    "no_money": (
        "one run of {gate} costs {cost} dollars, and less is left of the budget; start again with a larger one",
        "运行一次 {gate} 需要 {cost} 美元，预算不足；请增加预算后重新开始",
    ),
    "not_reached": (
        "not run, because a check before it failed; `--all` runs everything",
        "未运行，因为之前的检查失败；`--all` 会运行全部",
    ),
    "nothing_to_look_at": ("the change has no file that it looks at", "该改动没有它要检查的文件"),
    "owed": (
        "{gate}: {count} new findings, the first at {place}: {message} [{rule}]",
        "{gate}：{count} 个新问题，第一个在 {place}：{message} [{rule}]",
    ),
    "owed_one": ("{gate}: {place}: {message} [{rule}]", "{gate}：{place}：{message} [{rule}]"),
    "owed_why": ("{gate}: {why}", "{gate}：{why}"),
    "owed_could_not": ("{gate} could not run: {why}", "{gate} 无法运行：{why}"),
    "install": ("{why}; install it with `{command}`", "{why}；请用 `{command}` 安装"),
    "exit_unread": (
        "`{command}` ended with exit {exit}, but its parser `{parser}` found nothing in what it printed",
        "`{command}` 以退出码 {exit} 结束，但解析器 `{parser}` 在其输出中没有找到任何问题",
    ),
    "covered": (
        "{changed} of changed lines run by tests, {total} of all",
        "改动行覆盖率 {changed}，总覆盖率 {total}",
    ),
    "measuring": ("coverage: {command}", "覆盖率：{command}"),
    "after_failed": (
        "{tool} can't say what the tests ran ({said})",
        "{tool} 无法给出测试运行了哪些代码（{said}）",
    ),
    "no_coverage": (
        "the Python that runs the tests has no coverage.py",
        "运行测试的 Python 没有安装 coverage.py",
    ),
    "by": ("{message} (by {tool})", "{message}（来自 {tool}）"),
    "left_out": (
        "left out by every gate, {count} in all: {paths}; the first: {why}",
        "被所有检查忽略的文件共 {count} 个：{paths}；第一个：{why}",
    ),
    "no_tests": ("no tests were run", "没有运行任何测试"),
    "red_measured": (
        "`{command}` did not pass when it was run once more to measure coverage ({said}); fix what it does differently then, and coverage can be measured",
        "为测量覆盖率再次运行 `{command}` 时未通过（{said}）；须先消除两次运行的差异，才能给出覆盖率",
    ),
    "red_tests": ("the tests do not pass, so what they run says nothing", "测试未通过，因此覆盖率没有意义"),
}
