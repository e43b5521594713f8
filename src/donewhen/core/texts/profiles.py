"""What is said about profiles."""

TEXTS: dict[str, tuple[str, str]] = {
    "unknown": (
        "there is no profile `{name}`, so it is not known what to verify; choose one of {names} with --profile or in the configuration",
        "没有名为 `{name}` 的配置组，因此不知道要验证什么；请用 --profile 或在配置中从 {names} 里选择一个",
    ),
    "no_tests": (
        "profile {name}: the project's own tests were not run, the files that changed are all that was looked at",
        "配置组 {name}：没有运行项目自己的测试，只检查了改动的文件",
    ),
    "lifted": (
        "source files changed, so profile {name} is raised to {applied}",
        "源文件有改动，因此配置组 {name} 提升为 {applied}",
    ),
}
