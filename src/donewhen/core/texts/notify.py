"""What is said about messages to people: places that can't be told, and messages that did not arrive."""

TEXTS: dict[str, tuple[str, str]] = {
    "bad_url": (
        "{place} is no address that a message can be posted to; it must look like https://HOST/PATH",
        "{place} 不是可以投递消息的地址；应形如 https://HOST/PATH",
    ),
    "login_in_url": (
        "{place} holds a user name or password before its host, which is not sent; use an address with a token in its path, or notify.commands",
        "{place} 在主机名前含有用户名或密码，不会发送；请使用路径中带令牌的地址，或使用 notify.commands",
    ),
    "unknown_scheme": (
        "{place} begins with {scheme}:, and messages can be sent to https and http only; use a webhook or notify.commands",
        "{place} 以 {scheme}: 开头，而消息只能发送到 https 和 http；请使用 webhook 或 notify.commands",
    ),
    "later": (
        "{place} begins with {scheme}:, and mail and desktop messages are not possible yet; use a webhook or notify.commands",
        "{place} 以 {scheme}: 开头，目前还不能发送邮件和桌面消息；请使用 webhook 或 notify.commands",
    ),
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
