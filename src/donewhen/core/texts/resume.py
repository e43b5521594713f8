"""Going on with a run, and ending one from outside."""

TEXTS: dict[str, tuple[str, str]] = {
    "help": (
        "Go on with a run that was interrupted or waits for somebody.",
        "继续一个被中断或等待处理的运行。",
    ),
    "help_abort": (
        "End a run, also one that is running elsewhere; what it made is kept as a commit.",
        "结束一个运行，无论由谁执行；其成果保留为一个提交。",
    ),
    "help_on_ask": (
        "What to do with a question: wait, deny or pause (default: as the run was begun).",
        "遇到提问时：wait、deny 或 pause（默认沿用该运行开始时的设置）。",
    ),
    "help_budget": ("A new budget in dollars for the whole run.", "整个运行的新预算（美元）。"),
    "no_effect": (
        "{run} has ended, so this has no effect: {option}; start a new run to go on with the work",
        "{run} 已结束，以下选项不起作用：{option}；要继续工作请开始新的运行",
    ),
    "help_model": ("Go on with another model, as provider:model.", "改用另一个模型继续，写作 提供方:模型。"),
    "goes_on_with": ("the run goes on with {model}", "运行改用 {model} 继续"),
    "help_wait": (
        "Seconds to wait until a run that another process executes has ended (default: 30).",
        "等待另一进程所执行的运行结束的秒数（默认 30）。",
    ),
    "live": (
        "run {run} is executed by {holder}; `donewhen logs {run} -f` follows it, `donewhen abort {run}` ends it",
        "运行 {run} 正由 {holder} 执行；`donewhen logs {run} -f` 跟踪它，`donewhen abort {run}` 结束它",
    ),
    "aborted": (
        "run {run} is aborted; its work is kept as commit {commit} (git show {commit})",
        "运行 {run} 已中止；其工作保存为提交 {commit}（git show {commit}）",
    ),
    "aborted_bare": (
        "run {run} is aborted; there was no work of it that could be kept",
        "运行 {run} 已中止；没有可保留的成果",
    ),
    "session_closed": (
        "the ledger of {run} is closed; its work stays in your folder, and the next prompt in {client} goes on with it",
        "{run} 的账本已关闭；其成果留在你的文件夹中，在 {client} 中的下一个提示会继续该会话",
    ),
    "closed_by": ("closed by {who}", "由 {who} 关闭"),
    "exam_runs": (
        "a stop of {run} is being judged now, so it can't be closed; try again when the exam is over",
        "正在评判 {run} 的一次停止，因此无法关闭；请在验收结束后重试",
    ),
    "no_start": (
        "the ledger of this run has no beginning that could be gone on from; `donewhen audit` tells what is wrong",
        "该运行的账本没有可继续的起点；`donewhen audit` 会说明问题",
    ),
    "no_folder": (
        "the folder {folder} of run {run} is not there; bring it back, or end the run with `donewhen abort {run}`",
        "运行 {run} 的文件夹 {folder} 不存在；请恢复它，或用 `donewhen abort {run}` 结束该运行",
    ),
    "verification": (
        "{run} is a verification, which has nothing to go on with; run `donewhen verify` again",
        "{run} 是一次验证，无法继续；请重新运行 `donewhen verify`",
    ),
    "no_longer_proven": (
        "what had been accepted is no longer proven on the tree as it is now",
        "先前被接受的内容在当前树上已不再成立",
    ),
    "interrupted": (
        "the run was interrupted and goes on now; calls of {tools} were undone: repeat them if still wanted",
        "运行曾被中断，现在继续；{tools} 的调用已撤销：如仍需要请重新执行",
    ),
    "supplied": (
        "a human let the run go on: look whether what your blocked todos waited for is there now, "
        "and bring them up to date",
        "有人让运行继续：请查看被阻塞的待办所等待的内容现在是否已具备，并更新这些待办",
    ),
    "undone": ("interrupted and undone; repeat it if still wanted", "已中断并撤销；如仍需要请重新执行"),
    "background": (
        "the run was interrupted: `{command}` no longer runs in the background; start it again if still wanted",
        "运行曾被中断：`{command}` 已不在后台运行；如仍需要请重新启动",
    ),
    "outside": (
        "an interrupted command may have acted outside of the workspace, which can't be undone: {action}",
        "被中断的命令可能已对工作区之外产生影响，无法撤销：{action}",
    ),
    "effect": (
        "it is not known whether this was done when the run was interrupted, so it is not done again: "
        "{effect} {target}",
        "运行被中断时不确定以下操作是否已完成，因此不再重复：{effect} {target}",
    ),
    "kept_before": (
        "what lay in the working tree is kept as commit {commit} before the interrupted call is undone "
        "(git show {commit})",
        "在撤销被中断的调用之前，工作树中的内容已保留为提交 {commit}（git show {commit}）",
    ),
    "too_late": (
        "a request to {kind} by {who} came when the run had been decided, and was not taken",
        "{who} 的 {kind} 请求到达时运行已有定论，未被采纳",
    ),
    "others_changed": (
        "changed by somebody else while the run waited: {files}",
        "运行等待期间被他人修改：{files}",
    ),
    "over": (
        "run {run} has ended already ({state}); there is nothing left to do",
        "运行 {run} 此前已结束（{state}）；没有剩余工作",
    ),
    "still_running": (
        "run {run} was asked to end and has not ended within {seconds} s; it will at its next safe point",
        "已请求结束运行 {run}，但在 {seconds} 秒内尚未结束；它会在下一个安全点结束",
    ),
    "stopping": (
        "stopping when the command or step that is under way has ended; press Ctrl-C again to stop now",
        "将在正在进行的命令或步骤结束后停止；再次按 Ctrl-C 立即停止",
    ),
    "stopping_model": (
        "stopping when {model} has answered; press Ctrl-C again to stop now",
        "将在 {model} 回答后停止；再次按 Ctrl-C 立即停止",
    ),
    "next": ("donewhen resume {run}", "donewhen resume {run}"),
}
