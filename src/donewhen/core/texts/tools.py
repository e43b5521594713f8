"""Why an executed command is not the declared one, or could not have failed."""

TEXTS: dict[str, tuple[str, str]] = {
    "narrower": ("it runs less than was declared: {detail}", "运行的内容少于声明：{detail}"),
    "mask": (
        "{detail} lets it return 0 whatever happens, or rewrites what it checks",
        "{detail} 会让它无论如何都返回 0，或改写被检查的内容",
    ),
    "not_run": ("{detail} shows something instead of running", "{detail} 只是显示信息，并没有运行"),
    "watch": (
        "{detail} waits for changes or for a person and does not end by itself",
        "{detail} 会等待改动或人工操作，不会自行结束",
    ),
    "other_command": ("it is another command: {detail}", "这是另一条命令：{detail}"),
    "other_config": ("it uses another configuration: {detail}", "使用了另一份配置：{detail}"),
    "other_place": (
        "it ran outside the workspace or on another machine: {detail}",
        "它在工作区之外或另一台机器上运行：{detail}",
    ),
    "weaker": ("it asks less than was declared: {detail}", "要求低于声明：{detail}"),
    "unknown_option": (
        "{detail} is in no list of harmless options, so it may change what runs",
        "{detail} 不在无害选项之列，可能改变运行的内容",
    ),
    "unclear": (
        "what {detail} stands for can't be known from the line",
        "仅凭这一行无法知道 {detail} 代表什么",
    ),
    "environment": (
        "the variable {detail} differs from what was declared, or changes what runs",
        "变量 {detail} 与声明不同，或会改变运行的内容",
    ),
}
