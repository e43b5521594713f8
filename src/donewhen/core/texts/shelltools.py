"""What the command tools say to the agent."""

TEXTS: dict[str, tuple[str, str]] = {
    "run_about": (
        "run a command with bash in the workspace, in a new shell each time. A command that takes long goes on in"
        " the background by itself and can be looked at with command_status; `background: true` starts it there."
        " What a command leaves running (`server &`) lives on until it is killed or the run is over",
        "在工作区中用 bash 运行命令，每次都是新的 shell。耗时较长的命令会自动转入后台继续运行，可用 command_status"
        " 查看；`background: true` 直接在后台启动。命令留下的进程（`server &`）会继续存活，直到被终止或运行结束",
    ),
    "status_about": (
        "look at a background command by its handle: its state, its exit code and its output from `offset` on;"
        " `wait` waits so many seconds for its end, `kill: true` ends it and all it started",
        "按句柄查看后台命令：状态、退出码以及从 `offset` 起的输出；`wait` 最多等待若干秒直到其结束，"
        "`kill: true` 终止它及其启动的一切",
    ),
    "outside": (
        "the folder {path} lies outside the workspace; give `cwd` relative to the workspace's root",
        "文件夹 {path} 位于工作区之外；请给出相对于工作区根目录的 `cwd`",
    ),
    "no_folder": (
        "there is no folder {path} in the workspace; list its parent, or leave out `cwd` for the root",
        "工作区中没有文件夹 {path}；请列出其上级文件夹，或省略 `cwd` 以使用根目录",
    ),
    "plain_only": (
        "bash is not installed, so only a program with plain words can be run here: no pipes, lists, redirections,"
        " variables or patterns; run one program per call",
        "未安装 bash，因此这里只能运行一个程序及其普通参数：不能使用管道、命令列表、重定向、变量或通配符；"
        "请每次调用只运行一个程序",
    ),
    "exit": ("the command ended with exit code {code}", "命令以退出码 {code} 结束"),
    "signal": ("the command was ended by signal {number}", "命令被信号 {number} 终止"),
    "timeout": (
        "the command did not end within {seconds} s, so it was ended with all it started; give a larger `timeout`,"
        " or run it with `background: true` and look with command_status",
        "命令未在 {seconds} 秒内结束，已连同其启动的一切一并终止；请给出更大的 `timeout`，"
        "或用 `background: true` 运行并用 command_status 查看",
    ),
    "late": (
        "it did not end within its `timeout`, so it was ended with all it started",
        "它未在其 `timeout` 内结束，已连同其启动的一切一并终止",
    ),
    "killed": (
        "the command was killed before it ended; see what it had done before you repeat it",
        "命令在结束前被终止；重复执行前请先查看它已完成的部分",
    ),
    "moved": (
        "[the command still runs, in the background as {handle}; look with command_status, handle {handle},"
        " offset {offset}, and end it with `kill: true`]",
        "[命令仍在后台运行，句柄为 {handle}；用 command_status 查看（handle {handle}，offset {offset}），"
        "用 `kill: true` 终止]",
    ),
    "left": (
        "[{count} processes that it started still run, as {handle}; look with command_status, handle {handle}, and"
        " end them with `kill: true`]",
        "[它启动的 {count} 个进程仍在运行，句柄为 {handle}；用 command_status 查看（handle {handle}），"
        "用 `kill: true` 终止]",
    ),
    "running": ("{handle} is running", "{handle} 正在运行"),
    "left_running": (
        "{handle} has ended with exit code {code}; processes that it started still run",
        "{handle} 已以退出码 {code} 结束；它启动的进程仍在运行",
    ),
    "rest_over": ("nothing of {handle} runs any more", "{handle} 已没有任何进程在运行"),
    "over": ("{handle} has ended: {how}", "{handle} 已结束：{how}"),
    "next": ("[next offset {offset}]", "[下一个 offset 为 {offset}]"),
}
