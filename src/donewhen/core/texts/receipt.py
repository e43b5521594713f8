"""Receipts: what an agent said, beside what is."""

TEXTS: dict[str, tuple[str, str]] = {
    "help": (
        "Check what your coding agent said last: what it claims, and what of it holds now.\n\n"
        "Reads the newest conversation of Claude Code, Codex, Gemini CLI or opencode about this folder, a LOG of one, or "
        "a message on stdin (-). Nothing has to be installed or armed. Exit 0: all holds or nothing was claimed; 1: "
        "something does not hold; 2: bad usage; 5: could not look.",
        "核对编码代理最后的说法：它声称了什么，其中哪些现在成立。\n\n"
        "读取 Claude Code、Codex、Gemini CLI 或 opencode 在此文件夹中最新的对话、指定的日志 LOG，或标准输入中的消息（-）。"
        "无需安装或启用。退出码 0：全部成立或没有声称；1：有不成立的；2：用法错误；5：无法查看。",
    ),
    "opt_watch": ("check again at each new message, until Ctrl-C", "每有新消息就重新核对，直到按 Ctrl-C"),
    "watch_alone": (
        "--watch follows the logs: give no message and no --json",
        "--watch 跟踪日志：不能同时给出消息或 --json",
    ),
    "no_logs": (
        "no conversation of Claude Code, Codex, Gemini CLI or opencode about {folder} was found on this machine; name a "
        "log, or give a message on stdin: donewhen receipt -",
        "本机上没有找到 Claude Code、Codex、Gemini CLI 或 opencode 关于 {folder} 的对话；请指定日志，或从标准输入给出消息：donewhen receipt -",
    ),
    "unreadable": (
        "{path} has no message of an agent in a form that this version of donewhen knows; give the message itself: "
        "donewhen receipt -",
        "{path} 中没有此版本 donewhen 能识别的代理消息；请直接给出消息：donewhen receipt -",
    ),
    "no_such_log": ("there is no file {path}", "没有文件 {path}"),
    "other_folder": (
        "{path} is a conversation about {folder}, not about this folder; go there to check it",
        "{path} 是关于 {folder} 的对话，而不是此文件夹；请到那里核对",
    ),
    "empty": ("the message is empty", "消息为空"),
    "from_log": ("{client}, {age} ago", "{client}，{age}前"),
    "from_hand": ("the message that you gave", "您给出的消息"),
    "nothing_claimed": ("nothing was claimed that can be checked", "没有可核对的声称"),
    "all_hold": ("{count} of {all} claims hold", "{all} 项声称中 {count} 项成立"),
    "some_fail": ("{count} of {all} claims do not hold", "{all} 项声称中 {count} 项不成立"),
    "not_so": (" · said, but not so: {claims}", " · 声称但不成立：{claims}"),
    "page": ("what the agent said, and what is: {lines}", "代理的说法与实际：{lines}"),
    # -- what is claimed ---------------------------------------------------------------------------
    "tests": ("tests pass", "测试通过"),
    "some_tests": ("some tests pass", "部分测试通过"),
    "lint": ("lint passes", "代码检查通过"),
    "build": ("the build succeeds", "构建成功"),
    "made": ("{subject} was made", "已创建 {subject}"),
    "deleted": ("{subject} was deleted", "已删除 {subject}"),
    "committed": ("committed", "已提交"),
    "pushed": ("pushed", "已推送"),
    "answers": ("{subject} answers", "{subject} 有响应"),
    "key": ("{subject} is set", "已设置 {subject}"),
    "dependency": ("{subject} is a dependency", "已添加依赖 {subject}"),
    # -- what is -----------------------------------------------------------------------------------
    "ran": ("{command}: {result}", "{command}：{result}"),
    "exit": ("exit {exit}", "退出码 {exit}"),
    "failing": ("{command}: {count} failing: {test}", "{command}：{count} 个失败：{test}"),
    "not_declared": (
        "the project's files declare no such command; nothing was run",
        "项目文件没有声明这样的命令；未运行任何命令",
    ),
    "not_this": (
        "{command} fails, which may be another command than the one that is named",
        "{command} 失败，但它可能不是所指的命令",
    ),
    "part": (
        "{command} fails now; whether in the part that is meant is not known",
        "{command} 现在失败；无法判断是否属于所指的部分",
    ),
    "could_not_run": ("{command} could not be run here: {why}", "此处无法运行 {command}：{why}"),
    "environment": (
        "{command} fails here because something around it is missing: {line}",
        "{command} 在此失败，因为缺少其运行条件：{line}",
    ),
    "edited": (
        "{command} fails now, and files changed after the message: {paths}",
        "{command} 现在失败，且消息之后有文件更改：{paths}",
    ),
    "flaky": ("{command} fails and passes on the same tree", "{command} 在同一文件树上时而失败时而通过"),
    "exists": ("it is there", "文件存在"),
    "elsewhere": ("it is there as {path}", "存在于 {path}"),
    "missing": ("there is no {subject}", "没有 {subject}"),
    "gone": ("it is gone", "已不存在"),
    "still_there": ("{subject} is still there", "{subject} 仍然存在"),
    "not_here": ("it lies outside of this folder", "位于此文件夹之外"),
    "unsure": ("not found, and it may mean something else", "未找到，也可能另有所指"),
    "commit_clean": (
        "{commit} {subject}; nothing is left uncommitted",
        "{commit} {subject}；没有未提交的内容",
    ),
    "commit_since": (
        "{commit} {subject}; uncommitted files: {count}",
        "{commit} {subject}；{count} 个文件未提交",
    ),
    "uncommitted": (
        "no commit since the conversation began, uncommitted files: {count} ({paths})",
        "对话开始以来没有提交，{count} 个文件未提交：{paths}",
    ),
    "no_commit": ("no commit since the conversation began", "对话开始以来没有提交"),
    "maybe_committed": ("uncommitted files: {count} ({paths})", "{count} 个文件未提交：{paths}"),
    "no_repository": ("this folder is in no git repository", "此文件夹不在任何 git 仓库中"),
    "on_remote": (
        "{commit} is on {remote}, as far as this clone knows",
        "据本克隆所知，{commit} 在 {remote} 上",
    ),
    "ahead": (
        "commits of {branch} that are on no remote, as far as this clone knows: {count}",
        "据本克隆所知，{branch} 的 {count} 个提交不在任何远程仓库上",
    ),
    "no_remote": ("this repository has no remote", "此仓库没有远程仓库"),
    "unknown_remote": (
        "this clone does not follow all branches of its remote",
        "此克隆没有跟踪远程仓库的所有分支",
    ),
    "answered": ("HTTP {status}", "HTTP {status}"),
    "listens": ("something listens on port {port}", "端口 {port} 有程序监听"),
    "silent": ("nothing listens on port {port} now", "现在没有程序监听端口 {port}"),
    "no_answer": ("port {port} gives no answer in time", "端口 {port} 未及时响应"),
    "key_there": ("{place} has it, with a value", "{place} 中有它，且有值"),
    "key_empty": ("{place} has it without a value", "{place} 中有它，但没有值"),
    "key_placeholder": ("{place} has a placeholder for it", "{place} 中只有占位值"),
    "key_missing": ("{place} does not have it", "{place} 中没有它"),
    "no_place": ("there is no {place}", "没有 {place}"),
    "listed": ("{place} lists it", "{place} 已列出"),
    "not_listed": ("{place} does not list it", "{place} 没有列出"),
    "no_manifest": ("no file here lists dependencies", "此处没有列出依赖的文件"),
}
