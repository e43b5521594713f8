"""What running commands says."""

TEXTS: dict[str, tuple[str, str]] = {
    "left_out": ("[… {count} bytes left out …]", "[… 省略了 {count} 字节 …]"),
    "no_bash": (
        "bash is not installed, so a command text can't be run; give a program and its arguments instead",
        "未安装 bash，无法运行命令文本；请改为给出程序及其参数",
    ),
    "nothing_to_run": ("there is no program to run", "没有要运行的程序"),
    "bad_word": ("a word of the command holds a NUL character", "命令的某个词含有 NUL 字符"),
    "no_program": ("{program} can't be run ({why})", "无法运行 {program}（{why}）"),
    "no_folder": ("the folder {folder} can't be entered ({why})", "无法进入文件夹 {folder}（{why}）"),
    "no_sandbox": (
        "the command was not started, because its sandbox could not be set up ({why}); `donewhen doctor` says more",
        "命令未启动，因为无法建立其沙箱（{why}）；`donewhen doctor` 有详情",
    ),
    "not_started": ("the command could not be started ({why})", "无法启动命令（{why}）"),
    "lost": (
        "the process that watched the command was killed, so its result is not known",
        "监视该命令的进程已被终止，因此结果未知",
    ),
    "closed": ("the run is over, so no command is started any more", "运行已结束，不再启动任何命令"),
    "no_handle": (
        "there is no background command {handle}; known ones: {known}",
        "没有后台命令 {handle}；已知的有：{known}",
    ),
}
