"""What is said about messages to people: places that can't be told, and messages that did not arrive."""

TEXTS: dict[str, tuple[str, str]] = {
    "timed_out": (
        "{host} did not take the message within {seconds} seconds",
        "{host} 未在 {seconds} 秒内接收消息",
    ),
    "unreachable": ("the message did not reach {host}: {why}", "消息未能送达 {host}：{why}"),
    "moved": (
        "{host} answered with a redirect (HTTP {status}), which is not followed; put the new address into notify.urls",
        "{host} 返回重定向（HTTP {status}），不会跟随；请把新地址写入 notify.urls",
    ),
    "refused": ("{host} refused the message (HTTP {status})", "{host} 拒绝了消息（HTTP {status}）"),
    "program_timed_out": (
        "{program} did not take the message within {seconds} seconds and was ended",
        "{program} 未在 {seconds} 秒内接收消息，已被终止",
    ),
    "not_run": (
        "{program} of notify.commands could not be run: {why}",
        "notify.commands 中的 {program} 无法运行：{why}",
    ),
    "exit": (
        "{program} of notify.commands ended with exit {exit}",
        "notify.commands 中的 {program} 以退出码 {exit} 结束",
    ),
    "crashed": (
        "the notifier {name} failed ({why}); report it to who made it",
        "通知器 {name} 出错（{why}）；请报告给其作者",
    ),
}
