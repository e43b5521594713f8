"""What is said about models: which can be used here, which was chosen, and what to do when there is none."""

TEXTS: dict[str, tuple[str, str]] = {
    "help": (
        "Show which models can be used here, and which are configured.",
        "显示此处可用的模型以及已配置的模型。",
    ),
    "opt_model": (
        "The model that does the work, as provider:model, e.g. anthropic:claude-sonnet-5-5.",
        "完成工作的模型，写作 提供方:模型，如 anthropic:claude-sonnet-5-5。",
    ),
    "opt_init_model": (
        "Write this model into the file (provider:model); asks nothing.",
        "将该模型写入文件（提供方:模型）；不再询问。",
    ),
    "opt_online": (
        "Also ask the model's endpoint whether it answers and takes the key; costs nothing.",
        "同时询问模型端点是否响应并接受密钥；不产生费用。",
    ),
    # -- the screen ------------------------------------------------------------------------------
    "title": ("Models", "模型"),
    "usable": ("usable now", "现在可用"),
    "usable_none": ("none", "无"),
    "by_key": ("{variable} is set", "已设置 {variable}"),
    "by_ollama": ("Ollama at {address}", "Ollama，位于 {address}"),
    "set_no_default": (
        "{variable} is set; name a model: `--model {provider}:MODEL`",
        "已设置 {variable}；请指定模型：`--model {provider}:模型`",
    ),
    "set_needs_package": (
        "{variable} is set; needs `pip install 'donewhen[llm]'`",
        "已设置 {variable}；需要 `pip install 'donewhen[llm]'`",
    ),
    "needs_key": ("with a key", "需要密钥"),
    "or": (" or ", " 或 "),
    "not_found": ("not found", "未发现"),
    "ollama_silent": ("no Ollama answers at {address}", "{address} 没有 Ollama 响应"),
    "ollama_elsewhere": (
        "OLLAMA_HOST names another machine, which was not asked; use `--model ollama:MODEL` to use it",
        "OLLAMA_HOST 指向另一台机器，未询问；如需使用请写 `--model ollama:模型`",
    ),
    "ollama_empty": (
        "Ollama answers at {address} but has no model that is known to take tools; e.g. `ollama pull qwen3-coder`",
        "{address} 的 Ollama 有响应，但没有已知支持工具的模型；例如 `ollama pull qwen3-coder`",
    ),
    "ollama_unsure": (
        "Ollama at {address} has {models}; none is known to take tools, `--model ollama:NAME` uses one anyway",
        "{address} 的 Ollama 有 {models}；均未知是否支持工具，可用 `--model ollama:名称` 强制使用",
    ),
    "colon": (": ", "："),
    "ollama_more": ("more of Ollama: {models}", "Ollama 的其他模型：{models}"),
    "package": (
        "what talks to models is not installed: `pip install 'donewhen[llm]'`",
        "未安装访问模型所需的组件：`pip install 'donewhen[llm]'`",
    ),
    "programs": (
        "agent programs on the PATH, each does the work by `run --agent NAME`: {names}",
        "PATH 上的代理程序，可用 `run --agent 名称` 执行工作：{names}",
    ),
    "no_programs": ("no agent program on the PATH ({names})", "PATH 上没有代理程序（{names}）"),
    # -- configured ------------------------------------------------------------------------------
    "configured": ("Configured", "已配置"),
    "configured_none": (
        "no model is configured; a run takes the first that is usable",
        "未配置模型；运行时采用第一个可用的模型",
    ),
    "col_for": ("FOR", "用途"),
    "col_model": ("MODEL", "模型"),
    "col_price": ("DOLLARS PER MILLION IN / OUT", "每百万输入/输出 美元"),
    "col_context": ("CONTEXT", "上下文"),
    "price": ("{input} / {output}", "{input} / {output}"),
    "price_assumed": ("not known, counted as {input} / {output}", "未知，按 {input} / {output} 计"),
    "unknown": ("not known", "未知"),
    "role_default": ("all work", "全部工作"),
    "role_plan": ("plan", "计划"),
    "role_execute": ("execute", "执行"),
    "role_review": ("review", "评审"),
    "role_fix": ("fix", "修正"),
    "role_fallback": ("fallback", "后备"),
    "role_profile": ("profile {profile}", "类型 {profile}"),
    "role_agent": ("agent {agent}", "代理 {agent}"),
    "role_first": ("a run without settings", "未作设置的运行"),
    # -- choosing --------------------------------------------------------------------------------
    "took": (
        "model: {model} ({why}); another one with `--model`, for good with `tools.llm.model`",
        "模型：{model}（{why}）；用 `--model` 改用其他模型，用 `tools.llm.model` 固定",
    ),
    "works_with": ("model: {model}", "模型：{model}"),
    "none": (
        "no model can be used: no key of a provider is set and no local Ollama with a model that takes tools "
        "answers; set a key, start Ollama, or play a script with --script (`donewhen models` says what was looked for)",
        "没有可用的模型：未设置任何提供方的密钥，也没有带有支持工具模型的本地 Ollama 响应；请设置密钥、启动 Ollama，"
        "或用 --script 播放脚本（`donewhen models` 显示查找过的内容）",
    ),
    "none_head": ("no model can be used; looked for:", "没有可用的模型；已查找："),
    "none_do": ("What to do, one of:", "请任选其一："),
    "none_key": (
        "export {variable}=…   (or the variable of another provider above)",
        "export {variable}=…   （或上面其他提供方的变量）",
    ),
    "none_ollama": (
        "ollama serve, then ollama pull qwen3-coder   (nothing leaves this machine)",
        "ollama serve，然后 ollama pull qwen3-coder   （数据不离开本机）",
    ),
    "none_ollama_pull": (
        "ollama pull qwen3-coder   (nothing leaves this machine)",
        "ollama pull qwen3-coder   （数据不离开本机）",
    ),
    "none_ollama_named": (
        "donewhen run GOAL --model ollama:{model}   (if it takes tools), or ollama pull qwen3-coder",
        "donewhen run 目标 --model ollama:{model}   （如它支持工具），或 ollama pull qwen3-coder",
    ),
    "none_script": (
        "donewhen run GOAL --script FILE   (no model; `donewhen fake-model SCRIPT` plays an endpoint)",
        "donewhen run 目标 --script 文件   （不用模型；`donewhen fake-model 脚本` 模拟端点）",
    ),
    "bad_name": (
        "{given} names no model{hint}: write provider:model, e.g. {example}; providers: {known}",
        "{given} 不是模型名{hint}：请写作 提供方:模型，例如 {example}；提供方：{known}",
    ),
    "no_such_provider": (
        "no provider is called {given}{hint}; known: {known}; an endpoint of your own: `tools.llm.base_url`",
        "没有名为 {given} 的提供方{hint}；已知：{known}；自己的端点：`tools.llm.base_url`",
    ),
    "what_was_given": ("what was given", "所给的内容"),
    "near": (" (did you mean {name}?)", "（是否想写 {name}？）"),
    "no_default": (
        "the provider {provider} is configured without a model; name one with `--model {provider}:MODEL` or `tools.llm.model`",
        "已配置提供方 {provider} 但没有模型；请用 `--model {provider}:模型` 或 `tools.llm.model` 指定",
    ),
    "endpoint_without_model": (
        "`tools.llm.base_url` names an endpoint but no model; name one with `--model` or `tools.llm.model`",
        "`tools.llm.base_url` 指定了端点但没有模型；请用 `--model` 或 `tools.llm.model` 指定",
    ),
    "script_and_model": (
        "--model and --script exclude each other: a script needs no model; leave one out",
        "--model 与 --script 互斥：脚本不需要模型；请去掉其中一个",
    ),
    "agent_takes_no_model": (
        "the agent {name} is of the kind {kind} and takes no --model; leave --model out, or use an agent of the kind llm",
        "代理 {name} 的类型为 {kind}，不接受 --model；请去掉 --model，或使用 llm 类型的代理",
    ),
    "copied_and_model": (
        "--model and --from exclude each other: a copied file stays as it is; leave one out, or edit the copy",
        "--model 与 --from 互斥：复制的文件保持原样；请去掉其中一个，或编辑副本",
    ),
    "ask": (
        "Which model shall runs use? A number, provider:model, or - for none [1]: ",
        "运行应使用哪个模型？输入序号、提供方:模型，或 - 表示不设置 [1]：",
    ),
    "wrote_no_key": (
        "{variable} is not set: runs need it for {model}",
        "{variable} 未设置：运行 {model} 需要它",
    ),
    "commit_it": (
        "commit the file: a run takes its settings from the commit that it starts from",
        "请提交该文件：运行采用其起始提交中的设置",
    ),
    "wrote": ("model of runs: {model}", "运行所用模型：{model}"),
    # -- the file that init writes ---------------------------------------------------------------
    "file_head": (
        "The model that does the work: provider and name. Keys stay in the environment, never in this file.",
        "完成工作的模型：提供方与名称。密钥只放在环境变量中，不写入此文件。",
    ),
    "file_others": ("Usable here as well: {models}", "此处同样可用：{models}"),
    "file_example": (
        "No model was chosen; a run takes the first whose key is set. Others: `donewhen models`.",
        "未选择模型；运行时采用第一个已设置密钥的模型。其他：`donewhen models`。",
    ),
    # -- cost ------------------------------------------------------------------------------------
    "cost_held": (
        "held: {held} set aside for calls whose cost was never reported; a run counts it as spent",
        "预留：{held}，用于从未报告费用的调用；运行将其计为已花费",
    ),
    "cost_guessed": (
        "no price table knows {models}: counted at budget.unknown_price, not at what was billed; name prices in budget.prices",
        "价格表中没有 {models}：按 budget.unknown_price 计算，而非实际账单；请在 budget.prices 中写明价格",
    ),
    # -- doctor ----------------------------------------------------------------------------------
    "doctor_ok": ("usable: {models}", "可用：{models}"),
    "doctor_none": (
        "no key is set and no local Ollama has a fitting model; `run` needs one, or --script; `donewhen models` says more",
        "未设置密钥，本地 Ollama 也没有合适的模型；`run` 需要其一，或用 --script；详见 `donewhen models`",
    ),
    "doctor_keys": ("keys: {names}", "密钥：{names}"),
    "doctor_installed": ("extra llm: installed", "组件 llm：已安装"),
    "online_ok": ("{model}: its endpoint answers", "{model}：端点有响应"),
    "online_key": (
        "{model}: its endpoint refuses the key ({status}); check {variable}",
        "{model}：端点拒绝密钥（{status}）；请检查 {variable}",
    ),
    "online_odd": (
        "{model}: its endpoint answers with {status}; check the provider and `tools.llm.base_url`",
        "{model}：端点返回 {status}；请检查提供方和 `tools.llm.base_url`",
    ),
    "online_silent": (
        "{model}: its endpoint can't be reached; check the network and `tools.llm.base_url`",
        "{model}：无法连接端点；请检查网络和 `tools.llm.base_url`",
    ),
    "online_not": ("{model}: can't be asked without a model call", "{model}：不调用模型无法询问"),
}
