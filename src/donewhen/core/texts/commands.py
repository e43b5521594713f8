"""Why a command line proves a declared command, or why it does not."""

TEXTS: dict[str, tuple[str, str]] = {
    "proves": ("the line proves `{declared}`", "该命令行证明了 `{declared}`"),
    "masked": (
        "`{command}` is run, but the line can return 0 when it fails; let its exit status decide, e.g. run it alone",
        "`{command}` 已运行，但失败时该行仍可能返回 0；请让它的退出状态起决定作用，例如单独运行",
    ),
    "not_reached": (
        "`{command}` stands in the line but is never run there; run it",
        "`{command}` 出现在该行中但从不执行；请运行它",
    ),
    "printed": (
        "`{command}` is only printed or quoted, not run; run it",
        "`{command}` 只是被打印或引用，并未运行；请运行它",
    ),
    "elsewhere": (
        "`{command}` is run on another machine or in another container; run it in the workspace",
        "`{command}` 在另一台机器或容器中运行；请在工作区中运行",
    ),
    "outside": (
        "`{command}` is run in a folder that is outside the workspace or not known; run it inside",
        "`{command}` 在工作区之外或未知的文件夹中运行；请在工作区内运行",
    ),
    "answered": (
        "another program may answer for `{command}`, because the line sets a function, an alias or a variable that decides what is run; run it without that",
        "该行设置的函数、别名或变量可能让另一个程序代替 `{command}` 应答；请去掉后再运行",
    ),
    "function": (
        "a function of the line answers for `{command}`; run the program itself",
        "该行定义的函数代替 `{command}` 应答；请运行程序本身",
    ),
    "changed": (
        "the line changes files before it runs `{command}`, so that is not the declared exam; run it on its own",
        "该行在运行 `{command}` 之前改动了文件，因此不是所声明的检验；请单独运行",
    ),
    "other": ("the line does not run `{declared}`; run that", "该行没有运行 `{declared}`；请运行它"),
    "order": (
        "the line runs the parts of `{declared}` in another order; run them as declared",
        "该行以不同的顺序运行 `{declared}` 的各部分；请按声明的顺序运行",
    ),
    "unreadable": (
        "the line proves nothing, because it can't be read: {why}",
        "该行证明不了任何东西，因为无法读懂：{why}",
    ),
    "declared_unreadable": (
        "nothing can prove the declared command, because it can't be read: {why}",
        "所声明的命令无从证明，因为无法读懂：{why}",
    ),
    "text_differs": (
        "the line is not the same text as `{declared}`, which is declared as exact; run it as written",
        "该行与要求逐字一致的 `{declared}` 文本不同；请照原样运行",
    ),
}
