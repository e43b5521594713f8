"""What is said about other people's agents that do the work of a run, and to them."""

_RULES_EN = """\
You are working in a git workspace of donewhen, a harness that keeps a promise a user made. The promise is below.

- Do the work yourself, here, in this folder, until all of it is done; nobody can answer questions. Then end with a few sentences on what you did.
- The harness runs the acceptance commands itself, on the tree that you leave behind. What you say proves nothing; if something is missing, you are told what, and go on.
- Weakening the exam is found and refused: tests deleted, skipped or emptied, expectations bent to the code, results hard-coded, exit codes masked, configuration loosened.
- Stay inside this folder and the scope of the promise. Don't push, don't merge, don't open pull requests, don't call `donewhen`.
- Follow what the project says to agents (AGENTS.md, CLAUDE.md, GEMINI.md) where it does not contradict this."""
_RULES_ZH = """\
你在 donewhen 的一个 git 工作区里工作；donewhen 替用户守住一个承诺，承诺见下文。

- 请在此文件夹中独立完成全部工作；没有人能回答问题。完成后用几句话说明做了什么。
- 验收命令由程序在你最终留下的文件树上亲自运行。你的说法不证明任何事；若有缺失，会告诉你缺什么，你再继续。
- 削弱检验会被发现并拒绝：删除、跳过或掏空测试，让预期迁就代码，写死结果，掩盖退出码，放宽配置。
- 不要离开此文件夹和承诺的范围。不要推送、合并或发起拉取请求，不要调用 `donewhen`。
- 项目写给代理的说明（AGENTS.md、CLAUDE.md、GEMINI.md）若不与此冲突，请遵循。"""

TEXTS: dict[str, tuple[str, str]] = {
    "rules": (
        "You are working in a git workspace of donewhen, a harness that keeps a promise a user made. The promise is below.\n\n- Do the work yourself, here, in this folder, until all of it is done; nobody can answer questions. Then end with a few sentences on what you did.\n- The harness runs the acceptance commands itself, on the tree that you leave behind. What you say proves nothing; if something is missing, you read what, and go on.\n- Weakening the exam is found and refused: tests deleted, skipped or emptied, expectations bent to the code, results hard-coded, exit codes masked, configuration loosened.\n- Stay inside this folder and the scope of the promise. Don't push, don't merge, don't open pull requests, don't call `donewhen`.\n- Follow what the project says to agents (AGENTS.md, CLAUDE.md, GEMINI.md) where it does not contradict this.",
        "你在 donewhen 的一个 git 工作区里工作；donewhen 替用户守住一个承诺，承诺见下文。\n\n- 请在此文件夹中独立完成全部工作；没有人能回答问题。完成后用几句话说明做了什么。\n- 验收命令由程序在你最终留下的文件树上亲自运行。你的说法不证明任何事；若有缺失，会告诉你缺什么，你再继续。\n- 削弱检验会被发现并拒绝：删除、跳过或掏空测试，让预期迁就代码，写死结果，掩盖退出码，放宽配置。\n- 不要离开此文件夹和承诺的范围。不要推送、合并或发起拉取请求，不要调用 `donewhen`。\n- 项目写给代理的说明（AGENTS.md、CLAUDE.md、GEMINI.md）若不与此冲突，请遵循。",
    ),
    "about": ("a coding agent of others does the work in the workspace", "由其他编码代理在工作区中完成工作"),
    "todos": (
        "# Open todos\n"
        'When some of them are done, end your answer with one line of JSON that says so: {{"todos": [{{"id": "ID", "status": "completed"}}]}}',
        "# 未完成的待办\n"
        '完成其中一些后，请在回答末尾用一行 JSON 说明：{{"todos": [{{"id": "ID", "status": "completed"}}]}}',
    ),
    "go_on": ("Go on with the work until all of it is done.", "请继续，直到全部完成。"),
    "trouble": (
        "Your last call did not come to its end: {why}\nGo on with the work from where it is now.",
        "上一次调用没有正常结束：{why}\n请从现状继续工作。",
    ),
    "absent_known": (
        "the program {program} is not on the PATH; install it with `{get}`, sign in with it once, and run again",
        "PATH 中没有程序 {program}；请用 `{get}` 安装并登录一次，然后重新运行",
    ),
    "absent": (
        "the agent's program {program} is not on the PATH, or can't be executed; install it or give its path",
        "PATH 中没有代理的程序 {program}，或它不可执行；请安装它或给出路径",
    ),
    "no_command": (
        "agents.{name} is of the kind `command` and names no command; add `command: [PROGRAM, …, '{{prompt}}']`",
        "agents.{name} 的类型是 `command` 却没有命令；请添加 `command: [程序, …, '{{prompt}}']`",
    ),
    "bad_words": (
        "`--agent command:…` can't be read as a command ({why}); write it as in a shell, with {{prompt}} where the prompt goes",
        "无法把 `--agent command:…` 读作命令（{why}）；请按 shell 的写法书写，用 {{prompt}} 标出提示的位置",
    ),
    "not_one_line": (
        "it must be one line of at most {limit} printable characters",
        "必须是一行，最多 {limit} 个可打印字符",
    ),
    "no_words": ("there is no program in it", "其中没有程序"),
    "no_model": (
        "--model is not for {name}, of which donewhen knows no flag for it; name the model in the command itself",
        "--model 不适用于 {name}：donewhen 不知道它的相应选项；请在命令中写明模型",
    ),
    "gave_up": (
        "{client} ended three times in a row without doing its work ({why}); call it by hand to see what is missing, then start the run again",
        "{client} 连续三次未完成工作就结束了（{why}）；请手动运行它查看原因，然后重新开始该运行",
    ),
    "no_money": (
        "the budget is used up, so {client} is not called again; `donewhen resume RUN --budget USD` gives it more",
        "预算已用完，不再调用 {client}；`donewhen resume RUN --budget USD` 可增加预算",
    ),
    "no_tokens": (
        "the budget of tokens is used up, so {client} is not called again; raise budget.tokens and resume the run",
        "令牌预算已用完，不再调用 {client}；请提高 budget.tokens 并继续运行",
    ),
    "cost_unknown": (
        "{client} does not say what its calls cost in money; only its tokens are booked",
        "{client} 没有说明调用的费用；只记录其令牌数",
    ),
    "cost_not_known": (
        "what {client} costs is not known, so nothing is booked for it and no budget ends it",
        "{client} 的费用未知，因此不为它记账，预算也不会让它停止",
    ),
    "hidden": (
        "{client} can't be started inside the sandbox, where {program} is not to be seen; install it where others can read it, such as /usr/local, or set `sandbox.mode: auto`, with which it works outside of the sandbox",
        "{client} 无法在沙箱内启动：沙箱中看不到 {program}；请把它安装到可读的位置（如 /usr/local），或设置 `sandbox.mode: auto`，使它在沙箱外工作",
    ),
    "outside": ("{client} works outside of it", "{client} 在其外工作"),
    "not_enforceable": (
        "the budget is not enforceable while {client} works: what it reports is booked when it has ended",
        "{client} 工作期间无法强制预算：在它结束后按其报告记账",
    ),
    "no_walls": (
        "{client} works outside of the sandbox, with its own login and permissions; `sandbox.mode: required` confines it",
        "{client} 在沙箱之外以自己的登录和权限工作；`sandbox.mode: required` 可限制它",
    ),
    "settings_kept": (
        "settings do not change while a run of donewhen is at work; leave them to the user",
        "donewhen 运行期间不更改设置；请留给用户处理",
    ),
    "timed_out": ("{client} was ended because its time was up", "{client} 因时间用尽被结束"),
    "exit": (
        "{client} ended with exit code {code} and said nothing",
        "{client} 以退出码 {code} 结束，没有任何说明",
    ),
    "no_report": ("{client} ended without an answer", "{client} 结束时没有回答"),
    "silent_end": ("{client} ended without a word", "{client} 结束时没有说话"),
}
