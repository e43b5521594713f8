"""Why a run ended and what to do next: a pair of texts for each stop reason."""

TEXTS: dict[str, tuple[str, str]] = {
    "none": (
        "a run ends without any stop reason; please report this as a bug",
        "运行结束却没有任何停止原因；请作为缺陷报告",
    ),
    "with_detail": ("{sentence} ({detail})", "{sentence}（{detail}）"),
    "accepted": (
        "every required check is proven on the tree that ships",
        "每项必需检查都已在将要交付的代码树上得到证明",
    ),
    "accepted_next": ("review the branch and merge it", "查看分支并合并"),
    "user_interrupt": ("the run was stopped by a human", "运行被人为中止"),
    "user_interrupt_next": (
        "start it again if it is still wanted; what it made is kept as a commit",
        "如仍需要请重新开始；其成果保留为一个提交",
    ),
    "user_interrupt_plan_next": (
        "the work had not begun, so there is nothing to keep; start again with what the plan lacked in the goal",
        "工作尚未开始，因此没有需要保留的成果；请在目标中补充计划所缺的内容后重新开始",
    ),
    "fatal_error": ("the run could not go on: its environment failed", "运行无法继续：其环境出了故障"),
    "fatal_error_next": (
        "repair what the message names, then start again",
        "修复消息所指的问题，然后重新开始",
    ),
    "budget_exceeded": (
        "the next step would have taken more than the run may use",
        "下一步会超出此次运行可用的限度",
    ),
    "fatal_error_model_next": (
        "fix what the sentence names, then resume the run; `--model` goes on with another model",
        "修复上文指出的问题后恢复运行；`--model` 可改用其他模型",
    ),
    "budget_exceeded_context_next": (
        "raise `context.max_tokens` or choose a model that takes more, and start again; or make the goal smaller",
        "调高 `context.max_tokens` 或选用容量更大的模型后重新开始；或缩小目标",
    ),
    "budget_exceeded_next": (
        "raise the budget and start again, or make the goal smaller",
        "提高预算后重新开始，或缩小目标",
    ),
    "time_exceeded": ("the time for the run is used up", "运行时间已用完"),
    "time_exceeded_next": (
        "raise `loop.max_total_time` and start again, or make the goal smaller",
        "调高 `loop.max_total_time` 后重新开始，或缩小目标",
    ),
    "max_turn_exceeded": ("the turns or tool calls of the run are used up", "运行的轮数或工具调用次数已用完"),
    "max_turn_exceeded_next": (
        "look at the last turns, then raise the limit and start again",
        "查看最后几轮，然后调高上限并重新开始",
    ),
    "repeat_cycle": ("the agent repeated the same turns after a warning", "代理在得到提醒后仍重复相同的轮次"),
    "repeat_cycle_next": (
        "look at the repeated calls and give the agent what it needs",
        "查看重复的调用，并提供代理所缺的内容",
    ),
    "deadlock": (
        "the run came back to the same state again and again with nothing new proven",
        "运行反复回到同一状态而没有新的证明",
    ),
    "deadlock_next": (
        "look at the pending proofs and settle by hand what blocks them",
        "查看待证明的项目，手工解决阻碍它们的问题",
    ),
    "scope_drift": ("the agent kept changing files outside its scope", "代理一再修改范围之外的文件"),
    "scope_drift_next": (
        "widen the scope in the promise if those files belong to the work, or state the goal more closely",
        "若这些文件属于此项工作，请在承诺中扩大范围；否则请把目标说得更具体",
    ),
    "unsafe": (
        "the agent did harm or kept trying what it may never do",
        "代理造成了损害，或一再尝试绝对禁止的操作",
    ),
    "unsafe_next": (
        "read the denials and findings of the run before you use anything from it",
        "使用其任何成果之前，请先阅读该运行的拒绝记录与发现",
    ),
    "missing_completion_signal": (
        "the agent kept answering without working or declaring completion",
        "代理一再只作回答，既不工作也不声明完成",
    ),
    "missing_completion_signal_next": (
        "read its last answer; start again with a clearer goal or another agent",
        "阅读其最后的回答；用更清楚的目标或另一个代理重新开始",
    ),
    "accept_continue_exhausted": (
        "completion was refused too often with no further proof in between",
        "多次声明完成均被拒绝，其间没有新的证明",
    ),
    "accept_continue_exhausted_next": (
        "look at the pending proofs, then start again or finish them by hand",
        "查看待证明的项目，然后重新开始或手工完成",
    ),
    "accept_check_failed": (
        "a required check can't be proven because what proves it was denied",
        "某项必需检查无法证明，因为证明它的操作被拒绝",
    ),
    "accept_check_failed_next": (
        "allow what was denied or change the check, then start again",
        "允许被拒绝的操作或修改该检查，然后重新开始",
    ),
    "required_todo_failed": ("a required todo failed", "某个必需的待办失败了"),
    "required_todo_failed_next": (
        "read why it failed; make it optional or solve the cause, then start again",
        "查看失败原因；把它改为可选或解决根源，然后重新开始",
    ),
    "todo_not_converged": (
        "completion was declared too often while required todos were open",
        "多次声明完成，但仍有必需的待办未完成",
    ),
    "todo_not_converged_next": (
        "look at the open todos; make optional what is not needed, then start again",
        "查看未完成的待办；把不需要的改为可选，然后重新开始",
    ),
    "todo_waiting_external": (
        "all that is left waits for a permission, an answer or a resource",
        "剩余工作都在等待许可、答复或资源",
    ),
    "todo_waiting_external_next": (
        "provide what the blocked todos name, then resume the run",
        "提供受阻待办所需的内容，然后恢复该运行",
    ),
    "integrity_violation": ("tests or checks were weakened and not restored", "测试或检查被削弱且未恢复"),
    "integrity_violation_next": (
        "restore what the findings name, or approve the change by hand",
        "恢复发现所指的内容，或手工批准该改动",
    ),
    "verification_failed": ("the verification of the change failed", "对改动的验证未通过"),
    "verification_failed_next": (
        "repair what the feedback names and verify again",
        "修复反馈所指的问题，然后重新验证",
    ),
    "verification_config_missing": (
        "the verification that is asked for is not configured",
        "所要求的验证没有配置",
    ),
    "verification_config_missing_next": (
        "add it to the configuration, or choose a profile that exists",
        "在配置中添加，或选择已有的方案",
    ),
    "verification_execution_denied": (
        "the guard refused a command that verification needs",
        "守卫拒绝了验证所需的命令",
    ),
    "verification_execution_denied_next": (
        "allow the command in the configuration or verify by another one",
        "在配置中允许该命令，或改用其他命令验证",
    ),
    "verification_execution_error": ("a verifier could not be run to its end", "某个验证器未能运行完毕"),
    "verification_execution_error_review_next": (
        "fix what kept the reviewer from answering, or set another one with `--set verification.semantic.model=MODEL`, then resume the run",
        "请解决评审者无法作答的原因，或用 `--set verification.semantic.model=MODEL` 设置其他评审者，然后恢复运行",
    ),
    "verification_execution_error_next": (
        "install or repair the tool that the message names and verify again",
        "安装或修复消息所指的工具，然后重新验证",
    ),
    "escalated": ("the run was handed over to a human", "运行已移交给人"),
    "escalated_over_next": (
        "the run is over: read why, fix it by hand where the work is kept, and verify that",
        "运行已结束：请查看原因，在保留成果之处手工修复，然后验证",
    ),
    "escalated_word_next": (
        "only your word is missing: say it, then resume the run",
        "只差你的一句话：请确认，然后恢复该运行",
    ),
    "escalated_next": (
        "read the report, decide, and resume the run or finish it by hand",
        "阅读报告并作出决定，然后恢复该运行或手工完成",
    ),
}
