"""What the exam says: which commands are not run, and why one that ran proves nothing."""

TEXTS: dict[str, tuple[str, str]] = {
    "denied_command": (
        "{program} is listed in verification.execution.denied_commands, so the harness does not run it; use another command or take it off that list",
        "{program} 列在 verification.execution.denied_commands 中，因此框架不运行它；请改用其他命令，或将其从列表中移除",
    ),
    "not_allowed_command": (
        "{program} is not listed in verification.execution.allowed_commands, so the harness does not run it; add it there or use a listed one",
        "{program} 未列在 verification.execution.allowed_commands 中，因此框架不运行它；请将其加入，或使用已列出的命令",
    ),
    "guard_denies": (
        "the guard denies it: {why}; give a command that does not",
        "守卫拒绝了它：{why}；请给出没有此问题的命令",
    ),
    "guard_asks_project": (
        "the project's own files name it, and the guard would ask about it: {why}; look at it, and give it yourself with --accept {command} if you want it run",
        "它由项目自身的文件给出，而守卫需要询问：{why}；请查看后，若要运行，用 --accept {command} 亲自给出",
    ),
    "guard_asks_agent": (
        "an agent proposed it, and the guard would ask about it: {why}; look at it, and give it yourself with --accept {command} if you want it run",
        "它由代理提出，而守卫需要询问：{why}；请查看后，若要运行，用 --accept {command} 亲自给出",
    ),
    "folder_outside": (
        "{folder} leads out of the project, so the command was not run there; give a folder inside it",
        "{folder} 指向项目之外，因此未在那里运行命令；请给出项目内的文件夹",
    ),
    "no_scratch": (
        "the folder {folder} for files of the exam can't be written ({why}); make room or set DONEWHEN_CACHE_DIR to another place",
        "无法写入考试所用的文件夹 {folder}（{why}）；请腾出空间，或将 DONEWHEN_CACHE_DIR 设为其他位置",
    ),
    "timed_out": (
        "it did not end within {seconds} s and was ended with all it had started",
        "它未在 {seconds} 秒内结束，已连同其启动的一切被终止",
    ),
    "killed": (
        "it was ended from outside before it was done; run it again",
        "它在完成之前被外部终止；请重新运行",
    ),
    "signalled": (
        "it was ended by the signal {signal}, so what it would have said is not known; run it yourself to see why",
        "它被信号 {signal} 终止，因此结果未知；请自行运行以查明原因",
    ),
    "out_of_memory": (
        "it was ended by SIGKILL, most likely because memory ran out; run it with less in parallel or more memory",
        "它被 SIGKILL 终止，很可能是内存不足；请减少并行或增加内存后再运行",
    ),
    "needs_terminal": (
        "it wants a terminal, and an exam has none; give a command that asks nothing",
        "它需要终端，而考试没有终端；请给出不需要交互的命令",
    ),
    "no_program": ("{program} can't be run ({why})", "无法运行 {program}（{why}）"),
    "no_program_install": (
        "{program} can't be run ({why}); {install}",
        "无法运行 {program}（{why}）；{install}",
    ),
    "no_environment": (
        "{tool} makes an environment of its own before any test, and could not without the network; give the project one that has the test runner (.venv, node_modules), or open the network with `sandbox.exam_network: full`",
        "{tool} 在测试之前要建立自己的环境，而没有网络无法完成；请为项目准备带有测试运行器的环境（.venv、node_modules），或用 `sandbox.exam_network: full` 开放网络",
    ),
    "no_module": (
        "the Python of this exam has no module {module}; {install}",
        "本次考试所用的 Python 没有模块 {module}；{install}",
    ),
    "missing_inside": (
        "a program that it needs is not installed: {program}; {install}",
        "缺少它所需的程序：{program}；{install}",
    ),
    "install_pip": (
        "install it into the project's environment: python -m pip install {package}",
        "请将其安装到项目的环境中：python -m pip install {package}",
    ),
    "install_npm": ("install the project's packages: npm install", "请安装项目的依赖包：npm install"),
    "install_tool": ("install {tool}, or put it on the PATH", "请安装 {tool}，或将其加入 PATH"),
    "install_python3": (
        "there is a python3: name that in the command, or make a virtual environment (python3 -m venv .venv)",
        "有 python3：请在命令中使用它，或创建虚拟环境（python3 -m venv .venv）",
    ),
    "no_report": (
        "it ended with 0 before pytest had finished, so its tests prove nothing; look for a call of os._exit or an exit in the tests",
        "它在 pytest 完成之前以 0 结束，因此测试什么也没有证明；请在测试中查找 os._exit 或退出调用",
    ),
    "no_summary": (
        "it ended with 0 without the summary that {runner} gives at its end, so its tests prove nothing; look for an exit call in the tests or in what they load",
        "它以 0 结束，但没有 {runner} 在结束时给出的汇总，因此测试什么也没有证明；请在测试或其加载的代码中查找退出调用",
    ),
    "wrong_tree": (
        "the tests imported {package} from {path}, not from this tree, so they say nothing about it; install the project editable (python -m pip install -e .) in the environment that runs them, or let donewhen set one up",
        "测试从 {path} 导入了 {package}，而不是从本文件树导入，因此对本文件树没有任何说明；请在运行测试的环境中以可编辑方式安装项目（python -m pip install -e .），或让 donewhen 建立一个环境",
    ),
    "git_changed": (
        "it changed {path}, which git would use later as you, so its result counts for nothing; look at that file before you use git here again",
        "它改动了 {path}，git 以后会以您的身份使用它，因此结果不算数；请先查看该文件，再在此使用 git",
    ),
    "gap_read_only": (
        "{path} can be written by the exam: it lies in the folder that the exam works in, and Landlock can't except it; install bubblewrap",
        "考试可以写入 {path}：它位于考试所用的文件夹中，而 Landlock 无法将其排除；请安装 bubblewrap",
    ),
    "made_up": (
        "it printed a summary of tests, but unittest ended before it reported any test: something in the code ends the process or writes the summary itself; take that out",
        "输出了测试汇总，但 unittest 在任何测试有结果之前就已结束：代码中有内容结束了进程或自行写出汇总；请将其去掉",
    ),
}
