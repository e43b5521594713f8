"""What is said about running the exam once more."""

TEXTS: dict[str, tuple[str, str]] = {
    "nothing_to_run": (
        "with the tests of the base there is nothing to run that could be compared",
        "使用基线的测试时，没有可供比较的运行内容",
    ),
    "edited": (
        "{file}: edited where it is installed, by no package manager",
        "{file}：在安装位置被改动，且不是由包管理器改动的",
    ),
    "edited_wanted": (
        "install it again, and change the project's own code instead",
        "请重新安装，并改为修改项目自己的代码",
    ),
}
