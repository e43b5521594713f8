"""What is said about models: how they are named and had, and why a call brought nothing."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_library": (
        "the package {package} is not installed, without which this model can't be asked; run `pip install 'donewhen[llm]'`",
        "未安装 {package} 包，无法调用该模型；请运行 `pip install 'donewhen[llm]'`",
    ),
    "bad_arguments": (
        "the arguments of {tool} are not a JSON object ({why}); send the call again with valid JSON",
        "{tool} 的参数不是 JSON 对象（{why}）；请用有效的 JSON 重新发送该调用",
    ),
    "cut_arguments": (
        "the answer reached its limit before the arguments of {tool} were complete ({why}); send the call again with less at once",
        "回答在 {tool} 的参数写完之前已达到上限（{why}）；请减少一次发送的内容后重新调用",
    ),
    "bad_name": (
        "`{name}` is not the name of a model; write provider:model, such as openai:gpt-5-mini",
        "`{name}` 不是模型名称；请写成 provider:model，例如 openai:gpt-5-mini",
    ),
    "unknown_provider": (
        "the provider of the model `{name}` is not known; write provider:model with one of these providers: {known}",
        "无法判断模型 `{name}` 属于哪个提供方；请写成 provider:model，可用的提供方：{known}",
    ),
    "no_provider": (
        "`tools.llm.provider` is `{name}`, which is not known; choose one of: {known}",
        "`tools.llm.provider` 的值 `{name}` 未知；请选择其中之一：{known}",
    ),
    "no_key": (
        "there is no key for {model}: the environment variable {variable} {state}; set it, or name another one in `tools.llm.key_env`",
        "没有 {model} 的密钥：环境变量 {variable} {state}；请设置它，或在 `tools.llm.key_env` 中指定其他变量",
    ),
    "variable_unset": ("is not set", "未设置"),
    "variable_empty": ("is empty", "为空"),
    "bad_key": (
        "the environment variable {variable} does not hold a key: it has spaces or characters that no key has; set it again",
        "环境变量 {variable} 中不是密钥：含有空格或密钥中不会出现的字符；请重新设置",
    ),
    "no_url": (
        "the provider {provider} has no address of its own; give it in `tools.llm.base_url`",
        "提供方 {provider} 没有固定地址；请在 `tools.llm.base_url` 中给出",
    ),
    "no_url_or_variable": (
        "the provider {provider} has no address of its own; give it in `tools.llm.base_url` or in the environment variable {variable}",
        "提供方 {provider} 没有固定地址；请在 `tools.llm.base_url` 或环境变量 {variable} 中给出",
    ),
    "bad_url": (
        "the address of {provider} is not one of a web server; write it as https://host/path, without `?` and `#`",
        "{provider} 的地址不是网络服务器地址；请写成 https://host/path，不含 `?` 和 `#`",
    ),
    # why a model gave no reply, and what to do about it
    "failed_key": (
        "{endpoint} does not take the key in {variable} for {model} ({detail}); check the key and what it may do, or go on with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 不接受 {variable} 中用于 {model} 的密钥（{detail}）；请检查密钥及其权限，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_key_missing": (
        "{endpoint} wants a key for {model} ({detail}); name the environment variable that holds it in `tools.llm.key_env`",
        "{endpoint} 要求 {model} 的密钥（{detail}）；请在 `tools.llm.key_env` 中写出存放密钥的环境变量",
    ),
    "failed_quota": (
        "the account at {endpoint} has no credit left for {model} ({detail}); add credit and resume the run, or go on with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 的账户已没有可用于 {model} 的额度（{detail}）；请充值后恢复运行，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_model": (
        "{endpoint} has no model {model} ({detail}); check its name and whether the key may use it, then go on with the right one: `donewhen resume RUN --model provider:model`",
        "{endpoint} 没有模型 {model}（{detail}）；请检查名称以及密钥是否可以使用它，然后改用正确的模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_tools": (
        "{model} at {endpoint} takes no tools ({detail}), so it can't do the work; go on with a model that does: `donewhen resume RUN --model provider:model`",
        "{endpoint} 的 {model} 不支持工具（{detail}），无法完成工作；请改用支持工具的模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_request": (
        "{endpoint} does not take the request to {model} ({detail}); check `tools.llm.base_url` and `tools.llm.protocol`",
        "{endpoint} 不接受发给 {model} 的请求（{detail}）；请检查 `tools.llm.base_url` 和 `tools.llm.protocol`",
    ),
    "failed_too_long": (
        "the prompt is longer than {model} at {endpoint} takes ({detail}); lower `context.max_tokens`, or choose a larger model",
        "提示超过了 {endpoint} 的 {model} 可接受的长度（{detail}）；请调低 `context.max_tokens` 或选择更大的模型",
    ),
    "failed_unreachable": (
        "{endpoint} can't be reached for {model} ({detail}); check the address and the network, then resume the run, or go on with another model: `donewhen resume RUN --model provider:model`",
        "无法连接 {endpoint} 以使用 {model}（{detail}）；请检查地址和网络，然后恢复运行，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_busy": (
        "{endpoint} turned {model} down at every try, for too many requests or too much load ({detail}); resume the run later, or with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 因请求过多或负载过高，每次都拒绝了 {model}（{detail}）；请稍后恢复运行，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_busy_long": (
        "{endpoint} asks to wait {seconds} s for {model}, longer than a run waits ({detail}); resume the run later, or with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 要求为 {model} 等待 {seconds} 秒，超过运行的等待上限（{detail}）；请稍后恢复运行，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_timeout": (
        "{endpoint} was silent for too long when {model} was asked ({detail}); resume the run later, or raise `tools.llm.timeout`",
        "调用 {model} 时 {endpoint} 沉默过久（{detail}）；请稍后恢复运行，或调高 `tools.llm.timeout`",
    ),
    "failed_server": (
        "{endpoint} has trouble with {model} ({detail}); resume the run later, or with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 在处理 {model} 时出现故障（{detail}）；请稍后恢复运行，或改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    "failed_cut": (
        "the answers of {model} at {endpoint} break off ({detail}); check the network between, then resume the run",
        "{endpoint} 的 {model} 的回答中断（{detail}）；请检查网络，然后恢复运行",
    ),
    "failed_answer": (
        "the answers of {model} at {endpoint} can't be read ({detail}); check `tools.llm.protocol` and `tools.llm.base_url`",
        "无法读取 {endpoint} 的 {model} 的回答（{detail}）；请检查 `tools.llm.protocol` 和 `tools.llm.base_url`",
    ),
    "failed_huge": (
        "the answers of {model} at {endpoint} are larger than any that is taken ({detail}); go on with another model: `donewhen resume RUN --model provider:model`",
        "{endpoint} 的 {model} 的回答超过可接受的大小（{detail}）；请改用其他模型继续：`donewhen resume RUN --model provider:model`",
    ),
    # the same in a few words, within another sentence
    "why_key": ("its key is not taken", "密钥不被接受"),
    "why_quota": ("its account has no credit left", "账户没有额度"),
    "why_model": ("there is no such model", "没有该模型"),
    "why_tools": ("it takes no tools", "不支持工具"),
    "why_request": ("it does not take the request", "不接受该请求"),
    "why_too_long": ("the prompt is too long for it", "提示过长"),
    "why_unreachable": ("it can't be reached", "无法连接"),
    "why_busy": ("too many requests or too much load", "请求过多或负载过高"),
    "why_timeout": ("it was silent for too long", "沉默过久"),
    "why_server": ("its endpoint has trouble", "服务端故障"),
    "why_cut": ("its answer broke off", "回答中断"),
    "why_answer": ("its answer can't be read", "回答无法读取"),
    "why_huge": ("its answer is too large", "回答过大"),
    # on the way
    "again": (
        "{model} gave no reply ({why}); asked again in {seconds} s",
        "{model} 没有回复（{why}）；{seconds} 秒后重试",
    ),
    "falls_back": (
        "{model} gave no reply ({why}); the next model is asked: {next}",
        "{model} 没有回复（{why}）；改用下一个模型：{next}",
    ),
    "no_time": (
        "the time of the run was over while {model} was asked; start again with a longer `loop.max_total_time`",
        "调用 {model} 期间运行时间已用完；请调高 `loop.max_total_time` 后重新开始",
    ),
    "no_money": (
        "a call to {model} with even a short answer may cost {needed} dollars, and {left} are left of the budget; start again with a larger one",
        "调用 {model}（即使回答很短）可能花费 {needed} 美元，而预算只剩 {left} 美元；请增加预算后重新开始",
    ),
    "no_tokens": (
        "the tokens that are left do not suffice for another call to {model}; start again with a larger `budget.tokens`",
        "剩余令牌不足以再次调用 {model}；请调高 `budget.tokens` 后重新开始",
    ),
    "fallback_left_out": ("the fallback {model} is left out: {why}", "备用模型 {model} 不会使用：{why}"),
    "none_named": (
        "no model is named; give `--model provider:model`, or set `tools.llm.model`",
        "没有指定模型；请给出 `--model provider:model`，或设置 `tools.llm.model`",
    ),
    "too_long": (
        "{model} still finds the conversation too long after it was made smaller three times; choose a model that takes more, or lower `context.max_tokens`",
        "对话已缩短三次，{model} 仍认为过长；请选择容量更大的模型，或调低 `context.max_tokens`",
    ),
    "price_unknown": (
        "no table knows the price of {model}: it is counted as {input} dollars for a million input tokens and {output} for a million output tokens; set `budget.prices` to correct that",
        "价格表中没有 {model} 的价格：按每百万输入令牌 {input} 美元、每百万输出令牌 {output} 美元计算；可在 `budget.prices` 中更正",
    ),
}
