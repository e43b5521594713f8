"""What the config room says."""

TEXTS: dict[str, tuple[str, str]] = {
    "and_more": (
        " (and {count} more: run `donewhen config validate`)",
        "（另有 {count} 个问题：请运行 `donewhen config validate`）",
    ),
    # reading YAML
    "too_large": (
        "{place} is larger than {limit} KiB; keep only settings in it",
        "{place} 超过 {limit} KiB；请只在其中保留设置",
    ),
    "not_utf8": (
        "{place} is not UTF-8 text; save the file as UTF-8",
        "{place} 不是 UTF-8 文本；请以 UTF-8 保存该文件",
    ),
    "value_not_utf8": (
        "{place} holds bytes that are not UTF-8 text; give its value again in UTF-8",
        "{place} 含有不是 UTF-8 文本的字节；请以 UTF-8 重新给出其值",
    ),
    "not_a_file": (
        "{place} is not a regular file; replace it by a file or remove it",
        "{place} 不是普通文件；请换成普通文件或将其删除",
    ),
    "no_file": ("there is no file {place}; check the path", "没有文件 {place}；请检查路径"),
    "unreadable": (
        "{place} can't be read ({cause}); check its permissions",
        "无法读取 {place}（{cause}）；请检查其权限",
    ),
    "broken_yaml": (
        "{at} is not valid YAML ({cause}); correct that line (indent with spaces, quote special characters)",
        "{at} 不是有效的 YAML（{cause}）；请修正该行（用空格缩进，特殊字符加引号）",
    ),
    "two_documents": (
        "{place} starts a second YAML document; keep one document in the file",
        "{place} 开始了第二个 YAML 文档；请在文件中只保留一个文档",
    ),
    "tag": (
        "{place} has the YAML tag `{tag}`, and tags are not read; remove it and put text in quotes",
        "{place} 含有 YAML 标签 `{tag}`，标签不会被读取；请删除它并给文本加引号",
    ),
    "unknown_alias": (
        "{place} uses the alias `*{alias}` that no earlier anchor defines; write the value out",
        "{place} 使用了别名 `*{alias}`，但前面没有定义该锚点；请直接写出值",
    ),
    "too_deep": (
        "{place} is nested more than {limit} levels deep; flatten the file",
        "{place} 的嵌套超过 {limit} 层；请减少嵌套",
    ),
    "too_many": (
        "{place} holds more than {limit} values, counting aliases, or too many levels; make it smaller",
        "{place} 含有超过 {limit} 个值（别名也计入）或层数过多；请缩小文件",
    ),
    "key_not_text": (
        "{place} has a key that is not a word; write a plain name",
        "{place} 的键不是单词；请写普通名称",
    ),
    "merge_key": (
        "{place} uses the merge key `<<`, which is not read; write the keys out",
        "{place} 使用了合并键 `<<`，它不会被读取；请直接写出各键",
    ),
    "duplicate_key": (
        "{place}: the key `{name}` is given twice in one mapping, first on line {first}; keep one of them",
        "{place}：键 `{name}` 在同一映射中出现两次，第一次在第 {first} 行；请只保留一个",
    ),
    "top_not_mapping": (
        "{place}: the file must hold `section:` keys at its top level; write a mapping or leave it empty",
        "{place}：文件顶层必须是 `section:` 形式的键；请写成映射或留空",
    ),
    "odd_number": (
        "{place}: `{path}` is written as `{text}`, which is no plain decimal number; "
        "write the decimal number, or put a text in quotes",
        "{place}：`{path}` 写成了 `{text}`，不是普通十进制数；请写十进制数，若是文本请加引号",
    ),
    "odd_date": (
        '{place}: `{path}` is written as `{text}`, which YAML reads as a date; put it in quotes ("{text}")',
        '{place}：`{path}` 写成了 `{text}`，YAML 会把它读成日期；请加引号（"{text}"）',
    ),
    "nul": ("{place}: `{path}` holds a NUL character; remove it", "{place}：`{path}` 含有 NUL 字符；请删除"),
    "odd_name": (
        "{place}: the name `{path}` holds control, direction or other invisible characters; write it without them",
        "{place}：名称 `{path}` 含有控制、方向或其他不可见字符；请去掉这些字符",
    ),
    "bad_slug": (
        "{place}: the rule name in `{path}` is not plain; use only a-z, 0-9, `_` and `-`",
        "{place}：`{path}` 中的规则名不规范；请只使用 a-z、0-9、`_` 和 `-`",
    ),
    # keys
    "unknown_key": (
        "{place}: unknown key `{path}`; did you mean: {hint}?",
        "{place}：未知的键 `{path}`；您是否想写：{hint}？",
    ),
    "unknown_key_here": (
        "{place}: unknown key `{path}`; remove it or use one of: {known}",
        "{place}：未知的键 `{path}`；请删除，或使用以下之一：{known}",
    ),
    "same_key_twice": (
        "{place}: `{path}` is the same key as `{other}` on line {first}; keep one of them",
        "{place}：`{path}` 与第 {first} 行的 `{other}` 是同一个键；请只保留一个",
    ),
    "same_name_twice": (
        "{place}: `{path}` has the name `{name}` that the entry on line {first} has; rename one of them",
        "{place}：`{path}` 的名称 `{name}` 与第 {first} 行的条目相同；请重命名其中一个",
    ),
    "missing_key": ("{place}: `{path}` is missing; add it", "{place}：缺少 `{path}`；请补上"),
    "file_only": (
        "{place}: `{path}` can only be set in a file; write it there",
        "{place}：`{path}` 只能在文件中设置；请写在文件里",
    ),
    "auto_compact_and_budget": (
        "{place}: `context.auto_compact` is the old name of `context.budget`, which line {first} sets too; "
        "remove `auto_compact`",
        "{place}：`context.auto_compact` 是 `context.budget` 的旧名称，"
        "而第 {first} 行也设置了后者；请删除 `auto_compact`",
    ),
    # values
    "no_value": (
        "{place}: `{path}` has no value; write one or leave the key out",
        "{place}：`{path}` 没有值；请写上值或去掉该键",
    ),
    "nothing_given": (
        "{place} is given without a value; give it one or leave it out",
        "{place} 没有给出值；请给出值或去掉它",
    ),
    "not_one_key": (
        "{place}: `{path}` is a group of keys; name one of them after a dot (or `__` in a variable): {known}",
        "{place}：`{path}` 是一组键；请在点号（变量中为 `__`）后写出其中之一：{known}",
    ),
    "not_mapping": (
        "{place}: `{path}` must be a mapping of keys; write `key: value` lines below it",
        "{place}：`{path}` 必须是键的映射；请在其下写 `key: value`",
    ),
    "unexpected_mapping": (
        "{place}: `{path}` takes a value, not a mapping; write the value itself",
        "{place}：`{path}` 需要一个值，而不是映射；请直接写值",
    ),
    "not_list": (
        "{place}: `{path}` must be a list; write it like `[a, b]`",
        "{place}：`{path}` 必须是列表；请写成 `[a, b]` 的形式",
    ),
    "not_integer": (
        "{place}: `{path}` must be a whole number; write it in digits without quotes",
        "{place}：`{path}` 必须是整数；请直接写数字，不加引号",
    ),
    "not_number": (
        "{place}: `{path}` must be a number; write it in digits without quotes",
        "{place}：`{path}` 必须是数字；请直接写数字，不加引号",
    ),
    "not_text": (
        "{place}: `{path}` must be text; put it in quotes",
        "{place}：`{path}` 必须是文本；请加引号",
    ),
    "not_boolean": (
        "{place}: `{path}` must be `true` or `false`; write one of them without quotes",
        "{place}：`{path}` 必须是 `true` 或 `false`；请不加引号地写其中之一",
    ),
    "not_choice": (
        "{place}: `{path}` must be one of: {choices}; choose one",
        "{place}：`{path}` 必须是以下之一：{choices}；请选择一个",
    ),
    "too_low": (
        "{place}: `{path}` must be at least {bound}; raise it",
        "{place}：`{path}` 至少为 {bound}；请调高",
    ),
    "not_above": (
        "{place}: `{path}` must be more than {bound}; raise it",
        "{place}：`{path}` 必须大于 {bound}；请调高",
    ),
    "too_high": (
        "{place}: `{path}` must be at most {bound}; lower it",
        "{place}：`{path}` 至多为 {bound}；请调低",
    ),
    "empty_text": (
        "{place}: `{path}` is empty; write a text or leave the key out",
        "{place}：`{path}` 为空；请写上文本或去掉该键",
    ),
    "long_text": ("{place}: `{path}` is too long; shorten it", "{place}：`{path}` 过长；请缩短"),
    "empty_list": (
        "{place}: `{path}` must not be empty; add an entry",
        "{place}：`{path}` 不能为空；请添加条目",
    ),
    "bad_name": (
        "{place}: `{path}` must be the name of an environment variable; use letters, digits and `_`",
        "{place}：`{path}` 必须是环境变量名；请使用字母、数字和 `_`",
    ),
    "wrong_value": (
        "{place}: `{path}` has a value of the wrong kind; see `donewhen config schema`",
        "{place}：`{path}` 的值类型不对；请参见 `donewhen config schema`",
    ),
    "bad_regex": (
        "{place}: `{path}` is no regular expression ({cause}); correct it",
        "{place}：`{path}` 不是正则表达式（{cause}）；请修正",
    ),
    "regex_too_long": (
        "{place}: `{path}` is longer than {longest} characters; split it into several patterns",
        "{place}：`{path}` 超过 {longest} 个字符；请拆成几个模式",
    ),
    "regex_explodes": (
        "{place}: `{path}` repeats in nested or overlapping ways, so matching could take for ever; "
        "write one plain repetition, for example `a+` for `(a+)+` or `[ab]*` for `(a|ab)*`",
        "{place}：`{path}` 含有嵌套或重叠的重复，匹配可能永不结束；"
        "请改写成单一的重复，例如用 `a+` 代替 `(a+)+`，用 `[ab]*` 代替 `(a|ab)*`",
    ),
    "regex_large_class": (
        "{place}: `{path}` ignores case in a very large range of characters; name a smaller range",
        "{place}：`{path}` 在很大的字符范围内忽略大小写；请缩小范围",
    ),
    "too_many_patterns": (
        "{place}: `{path}` holds more than {most} patterns; join some of them with `|`",
        "{place}：`{path}` 含有超过 {most} 个模式；请用 `|` 合并一些",
    ),
    "too_much_pattern_text": (
        "{place}: with `{path}` the patterns of this file are longer than {most} KiB in all; shorten them",
        "{place}：加上 `{path}`，本文件的模式总长超过 {most} KiB；请缩短",
    ),
    "bad_argv": (
        "{place}: `{path}` has no program as its first word; write a list like [pytest, -q]",
        "{place}：`{path}` 的第一个词不是程序；请写成 [pytest, -q] 这样的列表",
    ),
    "bad_setup": (
        "{place}: `{path}` must be auto, off, a command or a list of commands; write for example [[npm, ci]]",
        "{place}：`{path}` 必须是 auto、off、一条命令或命令列表；例如写 [[npm, ci]]",
    ),
    "shell_command": (
        "{place}: the command `{path}` uses shell syntax ({syntax}) and no shell runs it; "
        "write a list of words like [pytest, -q], or put the line in a script file and name that",
        "{place}：命令 `{path}` 使用了 shell 语法（{syntax}），但不会由 shell 执行；"
        "请写成 [pytest, -q] 这样的词列表，或放进脚本文件并写脚本名",
    ),
    "bad_store_url": (
        "{place}: `{path}` must be user, repo, sqlite:///absolute/path or postgresql://host/name; "
        "write one of these",
        "{place}：`{path}` 必须是 user、repo、sqlite:///绝对路径 或 postgresql://主机/库名；请写其中之一",
    ),
    "bad_url": (
        "{place}: `{path}` must be an http:// or https:// address; write the whole address",
        "{place}：`{path}` 必须是 http:// 或 https:// 地址；请写完整地址",
    ),
    "notify_url": (
        "{place}: `{path}` must hold https:// or http:// addresses; for mail and desktop messages name a program in "
        "notify.commands",
        "{place}：`{path}` 只能是 https:// 或 http:// 地址；邮件和桌面消息请在 notify.commands 中指定程序",
    ),
    "notify_login": (
        "{place}: `{path}` holds a user name or password before the host, which is not sent; use an address with a "
        "token in its path, or notify.commands",
        "{place}：`{path}` 在主机名前含有用户名或密码，不会发送；请使用路径中带令牌的地址，或使用 notify.commands",
    ),
    "unknown_hook": (
        "{place}: `{path}` names `{hook}`, a hook neither built in nor installed; did you mean: {hint}?",
        "{place}：`{path}` 中的钩子 `{hook}` 既非内置也未安装；您是否想写：{hint}？",
    ),
    "unknown_gate": (
        "{place}: `{path}` names the unknown gate `{gate}` and gives no command; did you mean: {hint}?",
        "{place}：`{path}` 中的门 `{gate}` 未知且没有命令；您是否想写：{hint}？",
    ),
    "parser_and_pattern": (
        "{place}: `{entry}` needs a `pattern` with the parser regex and only with it; add or remove it",
        "{place}：`{entry}` 在解析器为 regex 时（且仅在此时）需要 `pattern`；请补上或删除",
    ),
    "rule_without_matcher": (
        "{place}: the guard rule `{rule}` matches nothing; give it a pattern, command, path or tool",
        "{place}：守卫规则 `{rule}` 没有匹配对象；请给出 pattern、command、path 或 tool",
    ),
    "trigger_without_filter": (
        "{place}: the trigger `{trigger}` on {on} needs a `filter`; add a cron line or a glob",
        "{place}：触发器 `{trigger}`（{on}）需要 `filter`；请补上 cron 行或通配模式",
    ),
    "needs_key": (
        "{place}: `{entry}` needs the key `{needed}`; add it",
        "{place}：`{entry}` 需要键 `{needed}`；请补上",
    ),
    "mcp_command_or_url": (
        "{place}: the MCP server `{entry}` needs either a command or a url; keep exactly one",
        "{place}：MCP 服务器 `{entry}` 需要 command 或 url 之一；请只保留一个",
    ),
    "flaky_passes": (
        "{place}: `evidence.flaky` asks for {passes} passes of {of} runs; make `of` at least `passes`",
        "{place}：`evidence.flaky` 要求 {of} 次运行中通过 {passes} 次；请使 `of` 不小于 `passes`",
    ),
    # layers and files
    "extends_missing": (
        "{place}: the extended file {file} does not exist; correct the path, which is relative to this file",
        "{place}：被扩展的文件 {file} 不存在；请修正路径（相对于本文件）",
    ),
    "extends_again": (
        "{place}: an extended file may not extend another one; move the settings into one file",
        "{place}：被扩展的文件不能再扩展其他文件；请把设置合并到一个文件",
    ),
    "unknown_variable": (
        "the environment variable {place} names no setting; did you mean: {hint}?",
        "环境变量 {place} 不对应任何设置；您是否想写：{hint}？",
    ),
    "unknown_variable_here": (
        "the environment variable {place} names no setting; unset it, or see `donewhen config show` for the names",
        "环境变量 {place} 不对应任何设置；请取消它，或用 `donewhen config show` 查看名称",
    ),
    "two_variables": (
        "the environment variables {other} and {place} set the same key; unset one of them",
        "环境变量 {other} 与 {place} 设置了同一个键；请取消其中一个",
    ),
    "bad_flag": (
        "{place} needs `KEY=VALUE`; write for example `{place} budget.total=5`",
        "{place} 需要 `KEY=VALUE`；例如写 `{place} budget.total=5`",
    ),
    "relative_folder": (
        "the environment variable {place} holds the relative folder `{folder}`; give an absolute path",
        "环境变量 {place} 是相对目录 `{folder}`；请给出绝对路径",
    ),
    "no_home": (
        "there is no home folder in the environment; set HOME or {place} to an absolute path",
        "环境中没有主目录；请把 HOME 或 {place} 设为绝对路径",
    ),
    # trust
    "trust_not_yours": (
        "{place} can be written by others and is not believed; delete it and trust your projects again",
        "{place} 可被他人写入，因此不予采信；请删除它并重新信任您的项目",
    ),
    "trust_broken": (
        "{place} is damaged or from a newer version; delete it and trust your projects again",
        "{place} 已损坏或来自更新的版本；请删除它并重新信任您的项目",
    ),
    "trust_unwritable": (
        "{place} can't be written ({cause}); check the state folder's permissions and space",
        "无法写入 {place}（{cause}）；请检查状态目录的权限和空间",
    ),
    "locked": (
        "{place} is held by another donewhen process; wait for that process or end it, then try again",
        "{place} 被另一个 donewhen 进程占用；请等待或结束该进程，然后重试",
    ),
    "ignored_set": ("{path} = {value}: {why}", "{path} = {value}：{why}"),
    "ignored_removes": ("{path}: would remove {value}; {why}", "{path}：将移除 {value}；{why}"),
    "ignored_adds": ("{path}: would add {value}; {why}", "{path}：将添加 {value}；{why}"),
    "why_never": (
        "only a trusted project may set it; look at the file, then run `donewhen trust`",
        "只有受信任的项目才能设置；请查看该文件，然后运行 `donewhen trust`",
    ),
    "why_lower": ("an untrusted project may only lower it", "未受信任的项目只能调低它"),
    "why_higher": ("an untrusted project may only raise it", "未受信任的项目只能调高它"),
    "why_order": ("an untrusted project may only make it stricter", "未受信任的项目只能使其更严格"),
    "why_each": ("an untrusted project may only make it stricter", "未受信任的项目只能使其更严格"),
    "why_superset": ("an untrusted project may only add", "未受信任的项目只能添加"),
    "why_superset_adds": ("only a trusted project may add these", "只有受信任的项目才能添加这些"),
    "why_subset": ("an untrusted project may only remove", "未受信任的项目只能移除"),
    "why_allowlist": ("an untrusted project may not allow more", "未受信任的项目不能允许更多"),
    "why_inside": (
        "an untrusted project may only name a path inside its own folder, where none is set",
        "未受信任的项目只能在未设置时指定自身目录内的路径",
    ),
    "why_guard": (
        "an untrusted project may only add deny and ask rules and raise the action of a rule",
        "未受信任的项目只能添加 deny 与 ask 规则，并提高规则的动作级别",
    ),
    "why_gates": (
        "an untrusted project may only require built-in gates, without commands",
        "未受信任的项目只能要求内置的门，且不能带命令",
    ),
    # migration
    "note_dropped": (
        "{place}: `{path}` no longer exists and is left out; `donewhen config migrate` rewrites the file",
        "{place}：`{path}` 已不存在，不予采用；`donewhen config migrate` 可改写该文件",
    ),
    "note_inside": (
        "{place}: `{path}` lies below the project, where no run works; runs work in the cache folder instead; "
        "`donewhen config migrate` takes it out of the file",
        "{place}：`{path}` 位于项目之内，运行不会在那里进行，而是在缓存文件夹中进行；`donewhen config migrate` 可将其从文件中移除",
    ),
    "note_idle": ("{place}: `{path}` has no effect in this version", "{place}：`{path}` 在此版本中尚无作用"),
    "note_renamed": (
        "{place}: `{path}` is the old name of `{name}` and is read as that; `donewhen config migrate` rewrites the file",
        "{place}：`{path}` 是 `{name}` 的旧名称，按后者读取；`donewhen config migrate` 可改写该文件",
    ),
    "note_argv": (
        "{place}: the command `{path}` is read as the words {words}; `donewhen config migrate` rewrites the file",
        "{place}：命令 `{path}` 按词列表 {words} 读取；`donewhen config migrate` 可改写该文件",
    ),
    "change_dropped": (
        "{place}: `{path}` no longer exists and is left out",
        "{place}：`{path}` 已不存在，不予采用",
    ),
    "change_inside": (
        "{place}: `{path}` lies below the project, where no run works, and is left out",
        "{place}：`{path}` 位于项目之内，运行不会在那里进行，不予采用",
    ),
    "change_renamed": (
        "{place}: `{path}` is the old name of `{name}`, which takes its place",
        "{place}：`{path}` 是 `{name}` 的旧名称，由后者取代",
    ),
    "change_argv": (
        "{place}: the command `{path}` becomes the words {words}",
        "{place}：命令 `{path}` 改为词列表 {words}",
    ),
    "note_second_file": (
        "{place} is not read because {first} is there; move what you need from it and delete it",
        "由于存在 {first}，不会读取 {place}；请移出所需内容后将其删除",
    ),
    "migrate_by_hand": (
        "{place} can't be rewritten safely as it is written; change it by hand (nothing was written)",
        "{place} 的写法无法安全改写；请手动修改（未写入任何内容）",
    ),
    "migrate_link": (
        "{place} is a link to {target} outside its folder; name that file itself to migrate it",
        "{place} 是指向其目录之外 {target} 的链接；请直接指定该文件来迁移",
    ),
    "migrate_meanwhile": (
        "{place} was changed while it was migrated and is left as it is now; run `donewhen config migrate` again",
        "{place} 在迁移期间被修改，保持其现状；请重新运行 `donewhen config migrate`",
    ),
    "migrate_failed": (
        "{place} could not be replaced ({cause}) and is as it was; check permissions and space",
        "{place} 未能替换（{cause}），内容保持原样；请检查权限和空间",
    ),
    "note_misnamed": (
        "{place} is not read because of its name; rename it to config.yml",
        "由于名称，不会读取 {place}；请改名为 config.yml",
    ),
}
