"""What `verify` says."""

TEXTS: dict[str, tuple[str, str]] = {
    "known_left_out": (
        "the project's own tests were left out ({command}): {why}",
        "未运行项目自带的测试（{command}）：{why}",
    ),
    "note": ("note: {text}", "注意：{text}"),
    "objective": ("the change in this working tree is done", "此工作树中的更改已完成"),
    "two_formats": (
        "--json and --format {form} exclude each other; give one of them",
        "--json 与 --format {form} 互斥；请只给出其一",
    ),
    "no_output": (
        "--output {path}: there is no folder to write such a file into; make it first or give another place",
        "--output {path}：没有可写入该文件的文件夹；请先创建，或换一个位置",
    ),
    "output_failed": (
        "the report can't be written to {path} ({why}); give another place with --output",
        "无法将报告写入 {path}（{why}）；请用 --output 换一个位置",
    ),
    "empty_option": ("{option} is empty; give a value or leave it out", "{option} 为空；请给出值或省略"),
    "no_base": (
        "--base {base}: there is no such commit here; give a branch, a tag or a commit id",
        "--base {base}：此处没有这样的提交；请给出分支、标签或提交 id",
    ),
    "no_commit": (
        "--clean-room judges the commit, and there is none yet; commit first, or leave the option out",
        "--clean-room 评判提交，但尚无提交；请先提交，或去掉该选项",
    ),
    "busy": (
        "a {what} is in progress; the working files are judged as they are",
        "{what} 正在进行；按现状评判工作文件",
    ),
    "conflicts": ("unresolved merge conflicts: {paths}", "未解决的合并冲突：{paths}"),
    "moved": (
        "the working tree changed while the exam ran: what was proven is the tree before; run it again",
        "考试期间工作树发生了变化：已证明的是之前的树；请再次运行",
    ),
    "summary_accepted": (
        "{done} of {total} commands passed on this tree",
        "{total} 个命令中有 {done} 个在此树上通过",
    ),
    "summary_one_open": ("1 proof is missing", "缺少 1 项证明"),
    "summary_open": ("{count} proofs are missing", "缺少 {count} 项证明"),
    "not_included": (
        "the commit is judged: {count} uncommitted files are not included",
        "评判的是提交：不含 {count} 个未提交的文件",
    ),
    "one_not_included": (
        "the commit is judged: 1 uncommitted file is not included",
        "评判的是提交：不含 1 个未提交的文件",
    ),
    "unprovable": ("nothing can be proven here", "此处无法证明任何内容"),
    "nothing_proven": ("nothing proven", "未证明任何内容"),
    "nothing_to_prove": (
        "no tests were found in this project and no command was declared; add a test, or give a command with --accept CMD or a promise with --promise FILE",
        "未在此项目中找到测试，也没有声明命令；请添加测试，或用 --accept CMD 给出命令，或用 --promise FILE 给出承诺",
    ),
    "nothing_to_prove_because": (
        "nothing that could be run proves this change: {why}; or give a command with --accept CMD",
        "没有可运行的内容能证明此更改：{why}；或用 --accept CMD 给出命令",
    ),
    "parts_left_out": (
        "not run: the tests of {parts}, which neither changed nor depend on what did",
        "未运行：{parts} 的测试；它们没有改动，也不依赖改动的部分",
    ),
    "no_package": (
        "{package} is missing in the environment at hand ({place}), which is used as it is; install it there",
        "所用的现有环境（{place}）缺少 {package}；该环境按原样使用，请在其中安装",
    ),
    "no_network": (
        "the exam has no network but loopback, and `{command}` seems to have wanted one; `sandbox.exam_network: full` opens it",
        "考试除回环外没有网络，而 `{command}` 似乎需要网络；`sandbox.exam_network: full` 可开放",
    ),
    "time_limit": (
        "`{command}` met its time limit; `verification.execution.test_timeout` (or `timeout`) gives it longer",
        "`{command}` 达到时间上限；`verification.execution.test_timeout`（或 `timeout`）可给它更长时间",
    ),
    "shared_temp": (
        "in your environment: `{command}` passes only with the machine's /tmp, which the sandbox takes away; `sandbox.temp: shared` opens it for good",
        "在您的环境中：`{command}` 只有使用本机的 /tmp 才能通过，而沙箱会隔离它；`sandbox.temp: shared` 可长期开放",
    ),
    "own_variables": (
        "in your environment: `{command}` passes only with {names}, which commands do not see by themselves; `sandbox.env` passes variables for good",
        "在您的环境中：`{command}` 只有使用 {names} 才能通过，而命令默认看不到它；`sandbox.env` 可长期传入变量",
    ),
    "no_counts": (
        "it ended with 0, but the test runner behind it reported no test; make sure that it really runs",
        "它正常结束，但其背后的测试运行器没有报告任何已运行的测试；请确认确实调用了它",
    ),
    "flaky": ("flaky", "不稳定"),
    "no_answer_here": (
        "checks of the kind output_only are left out: a change that is only verified gives no answer",
        "略去 output_only 类检查：仅被验证的更改不给出回答",
    ),
    "sparse": (
        "{count} tracked files are not here (sparse checkout); the exam runs in a room that holds them",
        "{count} 个受跟踪的文件不在此处（稀疏检出）；考试在包含它们的房间中运行",
    ),
    "config_of_base": (
        "the project's configuration was changed and is not trusted as it is now; that of {base} is used (`donewhen trust` accepts the new one)",
        "项目配置已更改且现状未受信任；使用 {base} 的配置（`donewhen trust` 可接受新的）",
    ),
    "trusted_config_gone": (
        "the project's configuration that you trust here is gone or was changed, also at the base; `donewhen trust` accepts it as it is now, `donewhen untrust` does without it",
        "您在此处信任的项目配置已消失或已更改，基准处亦然；`donewhen trust` 接受现状，`donewhen untrust` 则不再使用",
    ),
    "config_kept": (
        "the project's configuration that you trust here is gone or was changed; it still holds (`donewhen trust` accepts the files as they are now, `donewhen untrust` does without)",
        "您在此处信任的项目配置已消失或已更改；它仍然有效（`donewhen trust` 接受现有文件，`donewhen untrust` 则不再使用）",
    ),
    "touched": (
        "files were changed and put back while it ran ({paths}), so it is not known what it ran on; run it again while nothing else writes there",
        "运行期间有文件被更改又还原（{paths}），无法确定其运行对象；请在没有其他写入时再次运行",
    ),
    "ignored_settings": (
        "the project's configuration is not trusted, so {count} setting(s) of it are ignored (`donewhen trust` shows and accepts them)",
        "项目的配置未受信任，其中 {count} 项设置被忽略（`donewhen trust` 可查看并接受）",
    ),
    "failed_inside": (
        "it ended with 0 though {count} of its tests failed, first {test}",
        "其中 {count} 个测试失败（首个：{test}），却以 0 结束",
    ),
    "comparing": ("comparing with the base", "正在与基线比较"),
    "looking": ("reading the working tree", "正在读取工作树"),
    "laying": ("preparing a room of its own for the exam", "正在为考试准备独立的房间"),
    "setting_up": ("setting up: {command}", "正在准备环境：{command}"),
    "running": ("running {command}", "正在运行 {command}"),
    "accepted": ("accepted", "通过"),
    "not_accepted": ("not accepted", "未通过"),
    "could_not": ("could not be verified", "无法验证"),
    "needs_word": ("needs your word", "需要你的答复"),
    "about": ("tree {tree}", "树 {tree}"),
    "changed_since": ("{count} files changed since {base}", "自 {base} 起更改了 {count} 个文件"),
    "one_changed_since": ("1 file changed since {base}", "自 {base} 起更改了 1 个文件"),
    "nothing_changed": ("nothing changed since {base}", "自 {base} 起没有更改"),
    "all_new": ("{count} files, no commit yet", "{count} 个文件，尚无提交"),
    "exam": ("Exam", "考试"),
    "checks": ("Checks", "检查"),
    "missing": ("Missing proofs", "缺少的证明"),
    "tail": ("the end of its output:", "其输出的结尾："),
    "way_ran": ("ran, but proves nothing", "已运行，但不构成证明"),
    "way_masked": ("masked, not run", "被掩盖，未运行"),
    "way_refused": ("refused, not run", "被拒绝，未运行"),
    "way_could_not_run": ("could not run", "无法运行"),
    "way_skipped": ("not run", "未运行"),
    "cached": ("cached", "缓存"),
    "still_stands": (
        "nothing it rests on has changed since {run}, so it still stands; --no-cache runs it again",
        "自 {run} 以来其依据没有任何变化，因此结论仍然成立；用 --no-cache 重新验证",
    ),
    "runs": ("{count} runs", "运行 {count} 次"),
    "more_failures": ("… and {count} more failures", "……另有 {count} 个失败"),
    "environment_shared": ("Environment: shared, {what}", "环境：共享，{what}"),
    "environment_own": ("Environment: own, set up from {what}", "环境：独立，依据 {what} 准备"),
    "environment_bare": (
        "Environment: own, a room with the tree and nothing else",
        "环境：独立，仅含该树的房间",
    ),
    "as_it_is": ("as it is on this machine", "即本机现状"),
    "not_run_yet": (
        "not run, because a check before it failed; `--all` runs everything",
        "未运行，因为之前的检查失败；`--all` 会全部运行",
    ),
    "next_failed": (
        "Next: fix it, then run `donewhen verify` again",
        "下一步：修复后再次运行 `donewhen verify`",
    ),
    "next_error": (
        "Next: make the command runnable here, or give another one with `--accept CMD`",
        "下一步：使该命令可在此运行，或用 `--accept CMD` 给出别的命令",
    ),
    "next_gate": (
        "Next: bring what the gate needs, then run `donewhen verify` again; or require it no longer (`--gate`,"
        " `--profile`, `verification.quality.gates`, the promise)",
        "下一步：准备好该检查所需的内容，然后再次运行 `donewhen verify`；或不再要求它（`--gate`、`--profile`、"
        "`verification.quality.gates`、承诺）",
    ),
    "next_review": (
        "Next: ask again, name another one with `--reviewer MODEL`, or leave the reviewer out",
        "下一步：重新询问，用 `--reviewer MODEL` 换一个评审者，或不用评审者",
    ),
    "next_denied": (
        "Next: give the command yourself with `--accept CMD` if it is meant, or change `guardrails`",
        "下一步：若确有此意，请用 `--accept CMD` 自行给出该命令，或修改 `guardrails`",
    ),
}
