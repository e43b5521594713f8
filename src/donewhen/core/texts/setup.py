"""What the harness says about setting up the environment that a project's commands need."""

TEXTS: dict[str, tuple[str, str]] = {
    "failed": (
        "setting up {language} failed at `{command}` ({source}): {why}\n{tail}\n"
        "say how it is set up with `workspace.setup` in .donewhen/config.yml, or set `workspace.setup: off` to run the commands in place",
        "设置 {language} 环境失败，出错的步骤是 `{command}`（{source}）：{why}\n{tail}\n"
        "请在 .donewhen/config.yml 中用 `workspace.setup` 说明如何设置，或写 `workspace.setup: off` 以就地运行命令",
    ),
    "exit": ("exit code {exit}", "退出码 {exit}"),
    "timed_out": ("it took longer than its time limit", "超出时间限制"),
    "killed": ("it was ended by signal {signal}", "被信号 {signal} 终止"),
    "not_started": ("it did not come to its end", "没有运行到结束"),
    "optional_failed": (
        "a part of the set-up that the tests may not need failed: `{command}` ({source}): {why}",
        "设置中测试可能不需要的一步失败：`{command}`（{source}）：{why}",
    ),
    "simpler": (
        "`{command}` ({source}) failed ({why}); a simpler one worked: `{instead}`",
        "`{command}`（{source}）失败（{why}）；较简单的一步成功：`{instead}`",
    ),
    "busy": (
        "another donewhen has been setting up the same environment for a long time; wait for it or end it (lock {lock})",
        "另一个 donewhen 正在设置同一环境，且已持续很久；请等待或结束它（锁文件 {lock}）",
    ),
    "altered": (
        "something was written into the prepared environment since it was set up ({count}: {paths}); it was set up again",
        "准备好的环境在设置之后被写入过（{count} 处：{paths}），已重新铺设",
    ),
    "not_kept": (
        "the environment could not be kept for the next time: {why}",
        "无法保存该环境供下次使用：{why}",
    ),
}
