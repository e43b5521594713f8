"""Why a command whose name looks like an exam is none."""

TEXTS: dict[str, tuple[str, str]] = {
    "hidden": (
        "{source} hides the status of `{command}`: it ends well even when that fails; let the status decide, e.g. join commands with `&&` and leave out `|| true`",
        "{source} 隐藏了 `{command}` 的退出状态：即使它失败也会正常结束；请让退出状态起决定作用，例如用 `&&` 连接命令并去掉 `|| true`",
    ),
    "ignored": (
        "{source} ignores the status of `{command}`, so a failure can't be seen; take away what ignores it",
        "{source} 忽略了 `{command}` 的退出状态，因此看不到失败；请去掉忽略它的写法",
    ),
    "flag": (
        "{detail} in {source} lets `{command}` pass whatever happens, or rewrites what it checks; leave it out",
        "{source} 中的 {detail} 会让 `{command}` 无论如何都通过，或改写被检查的内容；请去掉它",
    ),
    "shows": (
        "{detail} in {source} makes `{command}` show something instead of running; leave it out",
        "{source} 中的 {detail} 让 `{command}` 只显示信息而不运行；请去掉它",
    ),
    "cannot_fail": (
        "{source} ends well whatever its commands return, so it proves nothing; let their status decide",
        "无论其中的命令返回什么，{source} 都会正常结束，因此什么也证明不了；请让它们的退出状态起决定作用",
    ),
    "only_prints": (
        "{source} only prints or does nothing, so it proves nothing; name the command that runs the tests, e.g. with --accept",
        "{source} 只打印信息或什么也不做，因此什么也证明不了；请指明运行测试的命令，例如用 --accept",
    ),
    "empty": (
        "{detail} in {source} lets it pass without any test, so a pass counts only when the output says that tests ran",
        "{source} 中的 {detail} 允许在没有任何测试时通过，因此只有输出表明运行了测试时才算通过",
    ),
}
