"""What is said about prices and the counting of tokens."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_counter": (
        "tokens can't be counted exactly here, so every byte of text counts as one; "
        "install the counter with: pip install 'donewhen[llm]'",
        "此处无法精确计算令牌数，因此按每字节一个令牌计；请安装计数器：pip install 'donewhen[llm]'",
    ),
    "no_providers": (
        "the provider {provider} needs a library that is not installed; install it with: "
        "pip install 'donewhen[providers]'",
        "提供方 {provider} 需要的库尚未安装；请运行：pip install 'donewhen[providers]'",
    ),
    "needs_more": (
        "the provider {provider} needs a package that donewhen[providers] does not bring; "
        "install it with: pip install 'pydantic-ai-slim[{provider}]'",
        "提供方 {provider} 需要 donewhen[providers] 未包含的软件包；请运行：pip install 'pydantic-ai-slim[{provider}]'",
    ),
    "unknown_provider": (
        "llm.provider names {provider}, which is no provider that is known here; "
        "name another one, or give llm.base_url of a compatible endpoint",
        "llm.provider 指定的 {provider} 不是已知的提供方；请改用其他提供方，或用 llm.base_url 指定兼容的端点",
    ),
    "no_key": (
        "the provider {provider} can't be set up without its key; put it into the environment variable "
        "that llm.key_env names",
        "没有密钥，无法设置提供方 {provider}；请将密钥放入 llm.key_env 指定的环境变量",
    ),
    "no_base_url": (
        "the provider {provider} takes no address of our own; leave llm.base_url out",
        "提供方 {provider} 不接受自定义地址；请去掉 llm.base_url",
    ),
}
