"""What is said about the tools that quality gates ask."""

TEXTS: dict[str, tuple[str, str]] = {
    "missing": (
        "{tool}, which the gate {what} needs, is not installed; {how}",
        "未安装检查项 {what} 所需的 {tool}；{how}",
    ),
    "install": ("install it with `{command}`", "请用 `{command}` 安装"),
    "install_yourself": ("install it and put it on the PATH", "请安装它并加入 PATH"),
    "too_old": (
        "{tool} {version} at {place} is too old: {least} or later is needed; run `{command}`",
        "{place} 的 {tool} {version} 过旧，需要 {least} 或更新版本；请运行 `{command}`",
    ),
    "tool_ours": ("donewhen's own {tool}, not the project's", "donewhen 自带的 {tool}，并非项目所用"),
    "tool_ours_pinned": (
        "donewhen's own {tool}, not the project's {pinned}",
        "donewhen 自带的 {tool}，而非项目所用的 {pinned}",
    ),
    "tool_other_pinned": ("{tool}, not the project's {pinned}", "{tool}，而非项目所用的 {pinned}"),
    "no_files": ("the change has no files that this gate looks at", "此次更改没有该检查所涉及的文件"),
    "left_generated": (
        "it lies or is named like something that a tool generates, so no gate looked at it",
        "其位置或名称像是工具生成的文件，没有任何检查查看它",
    ),
    "left_vendored": (
        "it lies among code of others, so no gate looked at it",
        "它位于第三方代码之中，没有任何检查查看它",
    ),
    "left_large": (
        "it is larger than {limit} MiB, so no gate looked at it; split it or review it by hand",
        "它大于 {limit} MiB，没有任何检查查看它；请拆分或人工审查",
    ),
    "left_unreadable": (
        "its name is not valid UTF-8 and tools fail on it, so no gate looked at it; rename it",
        "其文件名不是有效的 UTF-8，工具无法处理，没有任何检查查看它；请重命名",
    ),
    "no_linter": (
        "the project configures no linter for what changed",
        "项目没有为更改的内容配置代码检查工具",
    ),
    "no_types": (
        "what changed is in no language whose types a tool checks here",
        "更改的内容不属于此处有工具检查类型的语言",
    ),
    "no_build": (
        "the project names no build command (`scripts.build` of package.json, target `build` of a Makefile)",
        "项目没有写明构建命令（package.json 的 `scripts.build` 或 Makefile 的目标 `build`）",
    ),
    "secret": ("this line looks like it holds a secret ({kind})", "这一行看起来含有机密（{kind}）"),
    "secret_allowed": (
        "a comment says that this ({kind}) is no secret; make sure of it",
        "注释声明此处（{kind}）不是机密，请确认",
    ),
    "secret_file": (
        "{path} is a file of credentials ({kind}); it must not be part of a change",
        "{path} 是凭据文件（{kind}），不得成为更改的一部分",
    ),
    "secret_file_fix": (
        "take it out with `git rm --cached`, keep it in .gitignore, and ship a template such as .env.example",
        "请用 `git rm --cached` 移除它，将其保留在 .gitignore 中，改为提供 .env.example 之类的模板",
    ),
    "secret_value": (
        "this adds a value that {source} holds, as it is or encoded",
        "此处写入了 {source} 中保存的值（原样或编码后）",
    ),
    "secret_fix": (
        "take it out, read it from the environment or a secret store, and revoke it if it was ever real",
        "请删除它，改为从环境变量或密钥库读取；如果曾经有效，请立即吊销",
    ),
    "secret_unread": (
        "this part of the change could not be read, so it may hold a secret",
        "此处的更改无法读取，无法判断其中是否含有机密",
    ),
    "secret_unread_fix": (
        "make it text that can be reviewed, or leave it out of the change",
        "请改为可审查的文本，或将其移出此次更改",
    ),
}
