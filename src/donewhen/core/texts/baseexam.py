"""What is said about sitting the exam once more."""

TEXTS: dict[str, tuple[str, str]] = {
    "nothing_to_sit": (
        "with the tests of the base there is nothing to run that could be compared",
        "使用基线的测试时，没有可供比较的运行内容",
    ),
    "no_room": (
        "the exam can't be sat in a private room, so the tests of the base say nothing: {why}",
        "考试无法在独立房间中进行，因此基线的测试无法说明问题：{why}",
    ),
    "edited": (
        "{file} belongs to an installed package and was written after the base; it would not be shipped",
        "{file} 属于已安装的软件包，却在基线之后被改写；它不会随改动交付",
    ),
    "edited_wanted": (
        "install the package anew, and change the project's own code instead",
        "请重新安装该软件包，并改为修改项目自己的代码",
    ),
    "planted": (
        "{file} is a program that the commands of the exam find in the project; it was written after the base "
        "and is not what an installer makes, so nothing that it says of tests counts",
        "{file} 是检查命令会在项目中找到的程序；它在基线之后写入，且不是安装程序生成的，因此它关于测试的任何说法都不算数",
    ),
    "planted_wanted": (
        "remove {file}, or make the environment that it lies in anew with its installer",
        "请删除 {file}，或用其安装程序重新创建它所在的环境",
    ),
    "stashed": (
        "{entry} was put aside after the base: {about}",
        "{entry} 是在基线之后暂存的：{about}",
    ),
    "stashed_wanted": (
        "bring {entry} back with `git stash pop` if it belongs to the change, else drop it",
        "如果 {entry} 属于此改动，请用 `git stash pop` 取回，否则请删除",
    ),
    "not_built": (
        "`{command}` did not succeed in a private room",
        "`{command}` 在独立房间中未成功",
    ),
}
