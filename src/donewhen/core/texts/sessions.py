"""What sessions of other agents are told, and what is said about them."""

TEXTS: dict[str, tuple[str, str]] = {
    "goal": ("a session of {client}", "{client} 的会话"),
    "promise": (
        "This session is gated: a change counts as done only when donewhen itself has proven, on the final tree:",
        "此会话受验收约束：只有当 donewhen 在当时的文件树上亲自证明以下各项后，更改才算完成：",
    ),
    "promise_how": (
        "donewhen runs these itself when you stop; what you report about them does not count, and tests that are deleted, skipped or weakened are found.",
        "当你停止时，donewhen 会亲自运行它们；你对结果的陈述不算数，被删除、跳过或放宽的测试会被发现。",
    ),
    "added": (
        "This prompt adds to what must be proven before you can stop:",
        "此提示增加了你停止之前必须证明的内容：",
    ),
    "no_repository": (
        "this folder is gated but is in no git repository, so there is no tree that a proof could be bound to",
        "此文件夹受验收约束，但不在任何 git 仓库中，因此没有可绑定证明的文件树",
    ),
    "nothing_to_prove": (
        "nothing can be proven here: no test command was found in this project; add tests that show what the change does, or tell your user that nothing proves it",
        "此处没有可证明的内容：未在此项目中找到测试命令；请添加能体现更改的测试，或告诉用户没有任何证明",
    ),
    "nothing_because": (
        "nothing can be proven here: {why}; add tests that show what the change does, or tell your user that nothing proves it",
        "此处没有可证明的内容：{why}；请添加能体现更改的测试，或告诉用户没有任何证明",
    ),
    "refused": (
        "Not done yet: donewhen ran the exam on the tree as it is now. Still to be proven:",
        "尚未完成：donewhen 已在当前文件树上运行考核。仍需证明：",
    ),
    "tail": ("The end of what `{command}` printed:", "`{command}` 输出的末尾："),
    "go_on": (
        "Fix the cause in the code and leave tests and settings as strict as they were. When you stop, the exam runs again.",
        "请在代码中修复原因，不要放宽测试与设置，然后再次停止：验收会重新运行。",
    ),
    "let_go": (
        "Allowed to stop, NOT accepted: {reason}. See `donewhen show last`.",
        "允许停止，但未通过验收：{reason}。见 `donewhen show last`。",
    ),
    "gap": (
        "donewhen could not start for a part of this session, so the session can't be accepted; what is there now can be checked with `donewhen verify`",
        "本会话的一部分时间里 donewhen 无法启动，因此本会话不能通过验收；现有内容可用 `donewhen verify` 检查",
    ),
    "needs_word": (
        "Everything that ran passes, but the change alters the exam in a way that only a human can approve; the user is asked.",
        "所有运行的检查均已通过，但此改动以只有人才能认可的方式改变了考核；已询问用户。",
    ),
    "let_go_row": ("it was blocked as often as the limit allows, without progress", "已多次阻止而没有进展"),
    "nothing_changed": (
        "the agent changed nothing for this prompt: allowed to stop without an exam",
        "代理没有为此提示更改任何内容：未经验收即允许停止",
    ),
    "red_before": (
        "what fails now failed in the same way before this work",
        "现在失败的内容在此工作之前就以同样方式失败",
    ),
    "red_others": (
        "what fails now fails in the same way without the agent's changes",
        "没有代理的更改，同样的内容也会失败",
    ),
    "earlier": (
        "An earlier prompt asked for this, and it is not proven. It is required once more, then dropped:",
        "先前的提示要求这一项，但尚未证明。再要求一次，之后不再要求：",
    ),
    "documents": (
        "only documents changed, which no test or manifest names: allowed to stop without an exam",
        "只更改了文档，且没有测试或清单提及它们：未经验收即允许停止",
    ),
    "unchanged": (
        "this tree was not accepted, and nothing was done since: allowed to stop without another exam",
        "此文件树未通过验收，此后也没有任何操作：不再验收，允许停止",
    ),
    "not_finished": ("not finished: the agent waits for its user", "尚未完成：代理在等待用户"),
    "line_accepted": (
        "✓ donewhen: accepted{own} — {tests}tree {tree}{new}",
        "✓ donewhen：通过{own} — {tests}文件树 {tree}{new}",
    ),
    "line_tests": ("{count} tests on ", "{count} 个测试，"),
    "line_tests_one": ("1 test on ", "1 个测试，"),
    "line_new": (", {count} new ones fail without this change", "，没有此更改时 {count} 个新测试失败"),
    "line_new_one": (", 1 new one fails without this change", "，没有此更改时 1 个新测试失败"),
    "line_own": (" in your environment", "（在您的环境中）"),
    "line_blocked": (
        "✗ donewhen: not accepted — {first}; the agent was sent back (try {tries})",
        "✗ donewhen：未通过 — {first}；代理已被要求继续（第 {tries} 次）",
    ),
    "line_let_go": ("✗ donewhen: not accepted — {first}", "✗ donewhen：未通过 — {first}"),
    "line_let_go_tries": (
        "✗ donewhen: not accepted after {tries} tries — {first}",
        "✗ donewhen：{tries} 次尝试后仍未通过 — {first}",
    ),
    "line_not_finished": (
        "… donewhen: not finished — {first}; the agent waits for you",
        "… donewhen：尚未完成 — {first}；代理在等待你",
    ),
    "line_before": (
        "✗ donewhen: not accepted — {first}; it failed before this work as well",
        "✗ donewhen：未通过 — {first}；在此工作之前它也失败",
    ),
    "line_others": (
        "✗ donewhen: not accepted — {first}; it fails on changes that are not the agent's",
        "✗ donewhen：未通过 — {first}；失败来自不属于代理的更改",
    ),
    "line_unverified": (
        "… donewhen: nothing changed; what the agent says was not verified",
        "… donewhen：没有更改；代理所说的内容未经核实",
    ),
    "line_examining": (
        "… donewhen: still examining after {seconds} s — the verdict comes with your next prompt",
        "… donewhen：{seconds} 秒后仍在验收 — 结果会随你的下一个提示给出",
    ),
    "line_unprovable": (
        "✗ donewhen: nothing can be proven here — no git repository or no test command; `donewhen init` declares one, `donewhen disarm` ends the gate",
        "✗ donewhen：此处无法证明任何内容 — 没有 git 仓库或测试命令；`donewhen init` 可声明命令，`donewhen disarm` 可取消约束",
    ),
    "line_question": (
        "? donewhen: needs your word on {open} question(s) — donewhen confirm",
        "? donewhen：有 {open} 个问题等待你的确认 — donewhen confirm",
    ),
    "still_proven": (
        "the tree and the promise are those that were accepted before",
        "文件树与承诺和之前通过验收时相同",
    ),
    "subagent": (
        "a sub-agent ended: it wrote nothing that was not judged, or has had its advice",
        "子代理已结束：没有未经评判的写入，或已被告知过一次",
    ),
    "settings_changed": (
        "the client's settings were changed in this session ({path}: hooks, disableAllHooks, allowManagedHooksOnly or env); put them back as they were",
        "客户端设置在此会话中被更改（{path}：hooks、disableAllHooks、allowManagedHooksOnly 或 env）；请恢复原状",
    ),
    "settings_first": ("the exam is run once the settings are as they were", "设置恢复原状后才会运行验收"),
    "settings_blocked": (
        "{path} would change the hooks of this client while a gated session runs; the change is not applied. Put the file back, or change it when the session is over",
        "{path} 会在受约束的会话进行期间更改此客户端的 hooks；更改不会生效。请恢复该文件，或在会话结束后再更改",
    ),
    "could_not_judge": ("the exam could not be run: {why}", "无法运行验收：{why}"),
    "interrupted": ("an exam was interrupted", "一次验收被中断"),
    "ended": ("the client ended the session ({reason})", "客户端结束了会话（{reason}）"),
    "altered": (
        "{path} said something else about this session than the ledger, which holds; the note is corrected: leave it alone and stop again",
        "{path} 对此会话的说法与账本不符，以账本为准；该文件已更正：请勿改动它，然后再次停止",
    ),
    "repository_gone": (
        "{path} was a git repository when the session began and is none now, so nothing can be proven; put its .git back",
        "会话开始时 {path} 是 git 仓库，现在不是，因此无法证明任何内容；请恢复其 .git",
    ),
    "other_folder": (
        "{path} or its .git is not the folder that the session began in but a copy of it or a link; put the first one back",
        "{path} 或其 .git 不是会话开始时的文件夹，而是副本或链接；请恢复原来的文件夹",
    ),
    "two_places": (
        "there are changes in two working trees, {one} and {other}, and one is judged; bring all of them into one (commit and `git merge`), and leave the other as it was",
        "两个工作树 {one} 与 {other} 中都有更改，而只评判一个；请把更改合并到其中一个（提交并 `git merge`），并将另一个恢复原状",
    ),
    "not_here_branch": (
        "branch {name} got commits in this session that are not in the tree that is judged; bring them here with `git merge {name}`, check it out, or delete it",
        "分支 {name} 在此会话中有新提交，但不在被评判的文件树中；请用 `git merge {name}` 合并到此处、检出它，或删除它",
    ),
    "not_here_stash": (
        "{name} was stashed in this session and is not in the tree that is judged; bring it here with `git stash pop`, or drop it",
        "{name} 是在此会话中贮藏的，不在被评判的文件树中；请用 `git stash pop` 取回，或丢弃它",
    ),
    "not_here_worktree": (
        "worktree {name} is at a commit of this session that is not in the tree that is judged; merge its commit here, or remove the worktree",
        "工作树 {name} 位于此会话的某个提交，而它不在被评判的文件树中；请将该提交合并到此处，或移除该工作树",
    ),
    "not_here_changes": (
        "worktree {name} was changed in this session and is not what is judged; commit there and merge it here, or undo the changes",
        "工作树 {name} 在此会话中被更改，但不是被评判的对象；请在那里提交并合并到此处，或撤销更改",
    ),
    "paused_note": (
        "the user paused the gate ({until}): what follows is neither guarded nor examined until `donewhen on`",
        "用户暂停了验收约束（{until}）：在 `donewhen on` 之前的操作既不受防护也不验收",
    ),
    "on_note": ("the user switched the gate on again", "用户重新启用了验收约束"),
    "bad_duration": (
        "{given} is no length of time; give one such as 30m, 2h or 1d, or `session`",
        "{given} 不是时长；请给出如 30m、2h、1d 或 `session`",
    ),
    "bad_client": ("there is no client {client}", "没有名为 {client!r} 的客户端"),
    "bad_id": (
        "the client gave no usable session_id; update it, or run donewhen doctor",
        "客户端没有给出可用的 session_id；请更新客户端，或运行 donewhen doctor",
    ),
    "bad_input": (
        "the worker was given something else than a JSON object with {field}",
        "worker 收到的不是含有 {field} 的 JSON 对象",
    ),
    "goes_on_in_client": (
        "{run} is a session of {client}: it goes on in the client itself, not here; open that session there (what it owes: donewhen show {run})",
        "{run} 是 {client} 的会话：它在客户端中继续，而不在这里；请在客户端打开该会话（所欠证明：donewhen show {run}）",
    ),
    "waits_client": (
        "its client, {client}: the session goes on there",
        "等待其客户端 {client}：会话在那里继续",
    ),
}
