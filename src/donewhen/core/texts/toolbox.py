"""What the file tools and the registry of tools say: to agents mostly, and to whoever installed a plugin."""

TEXTS: dict[str, tuple[str, str]] = {
    # what each tool does
    "about_read_file": (
        "Read a text file of the workspace, with line numbers. `start` and `end` (from 1, inclusive) choose lines; needed for files over 2 MB.",
        "读取工作区中的文本文件并带行号。`start` 和 `end`（从 1 起，含两端）选择行；超过 2 MB 的文件必须指定。",
    ),
    "about_write_file": (
        "Write the whole content of a file; folders are made as needed. Mode, line ends and byte order mark of an existing file are kept.",
        "写入文件的全部内容；需要时会创建文件夹。已有文件的权限、换行符和字节序标记保持不变。",
    ),
    "about_edit_file": (
        "Replace text in a file. Each edit's `old` must be found exactly once (or with `all`, everywhere); if not found exactly, whole lines that differ only in indentation or trailing space are taken. All edits are applied in order, or none.",
        "替换文件中的文本。每个编辑的 `old` 必须恰好出现一次（设 `all` 则替换全部）；若无完全一致的文本，则采用仅缩进或行尾空白不同的整行。所有编辑按顺序全部应用，否则一个也不应用。",
    ),
    "about_delete_file": (
        "Delete a file, a link or a whole folder of the workspace.",
        "删除工作区中的文件、链接或整个文件夹。",
    ),
    "about_move_file": (
        "Move or rename a file or folder. `target` is the new path and must not exist yet.",
        "移动或重命名文件或文件夹。`target` 是新路径，且必须尚不存在。",
    ),
    "about_list_dir": (
        "List the entries of one folder, with sizes. Noise folders and files ignored by git are only named.",
        "列出一个文件夹的条目及大小。杂项文件夹和被 git 忽略的文件只列出名称。",
    ),
    "about_glob": (
        "Find files by a name pattern (`*.py` at any depth, `src/**/*.ts` from the searched folder, `{{a,b}}` alternatives).",
        "按名称模式查找文件（`*.py` 匹配任意深度，`src/**/*.ts` 从所搜文件夹起，`{{a,b}}` 表示备选）。",
    ),
    "about_grep": (
        "Find lines by a Python regular expression, line by line. `path` is a file or folder, `glob` chooses files, `context` shows lines around.",
        "用 Python 正则表达式逐行查找。`path` 是文件或文件夹，`glob` 选择文件，`context` 显示前后行。",
    ),
    "about_code_search": (
        "Find code by a name or words: first where functions, classes and other names that hold them are defined, then the lines that mention them. `path` is a file or folder, `glob` chooses files.",
        "按名称或词语查找代码：先列出名称含有它们的函数、类等的定义位置，再列出提及它们的行。`path` 是文件或文件夹，`glob` 选择文件。",
    ),
    "about_file_info": (
        "Tell kind, size, mode, lines and line ends of a file, link or folder.",
        "说明文件、链接或文件夹的类型、大小、权限、行数和换行符。",
    ),
    # paths
    "bad_path": (
        "the path `{path}` holds a character that no file name can hold; write it without that",
        "路径 `{path}` 含有文件名不允许的字符；请去掉该字符",
    ),
    "outside": (
        "`{path}` is not inside the workspace; give a path from its root, such as `src/app.py`",
        "`{path}` 不在工作区内；请给出从工作区根开始的路径，例如 `src/app.py`",
    ),
    "git_directory": (
        "`{path}` is part of a git directory, which file tools don't touch; use git_status, git_diff, git_log or git_show",
        "`{path}` 属于 git 目录，文件工具不会触碰；请使用 git_status、git_diff、git_log 或 git_show",
    ),
    "link_outside": (
        "the symbolic link in `{path}` leads outside the workspace or to itself; work with files inside it",
        "`{path}` 中的符号链接指向工作区之外或自身；请使用工作区内的文件",
    ),
    "through_link": (
        "`{path}` goes through a symbolic link, and nothing is changed through one; the real path is `{real}`",
        "`{path}` 经过符号链接，不会通过链接进行修改；真实路径是 `{real}`",
    ),
    "is_secret": (
        "the name of `{path}` says that it holds a credential; work without it",
        "`{path}` 的名称表明其中含有凭据；请不要使用它",
    ),
    "secret_link": (
        "`{path}` is `{real}`, whose name says that it holds a credential; work without it",
        "`{path}` 即 `{real}`，其名称表明其中含有凭据；请不要使用它",
    ),
    "is_root": (
        "this is the workspace's root itself; name a file or folder inside it",
        "这是工作区的根；请指定其中的文件或文件夹",
    ),
    "no_workspace": (
        "the workspace can't be opened ({cause}): somebody removed or closed it; start the run again",
        "无法打开工作区（{cause}）：有人移除或关闭了它；请重新开始运行",
    ),
    "no_room": (
        "there is no room on the disk to write `{path}`; free some and resume the run",
        "磁盘空间不足，无法写入 `{path}`；请释放空间后恢复运行",
    ),
    "not_found": ("there is no `{path}` in the workspace", "工作区中没有 `{path}`"),
    "not_found_near": (
        "there is no `{path}` in the workspace; near it are {near}",
        "工作区中没有 `{path}`；相近的有 {near}",
    ),
    "not_a_folder": (
        "a part of `{path}` is no folder; look with list_dir at what is there",
        "`{path}` 的某一部分不是文件夹；请用 list_dir 查看那里有什么",
    ),
    "is_a_folder": (
        "`{path}` is a folder; name a file in it, list_dir shows them",
        "`{path}` 是文件夹；请指定其中的文件，list_dir 会列出它们",
    ),
    "is_a_link": (
        "`{path}` became a symbolic link meanwhile; look again what it is",
        "`{path}` 在此期间变成了符号链接；请重新查看",
    ),
    "no_access": (
        "the system refuses access to `{path}` ({cause}); look at its mode with file_info",
        "系统拒绝访问 `{path}`（{cause}）；请用 file_info 查看其权限",
    ),
    "long_name": (
        "a name in `{path}` is too long; choose a shorter one",
        "`{path}` 中的名称过长；请选用更短的名称",
    ),
    "exists": (
        "`{path}` exists already; delete it first or choose another name",
        "`{path}` 已存在；请先删除它或选择其他名称",
    ),
    "changed_meanwhile": (
        "`{path}` changed meanwhile: it is not what the model was shown, and nothing was written; read it and ask again",
        "`{path}` 在此期间已被更改：与展示给模型的内容不同，未写入任何内容；请重新读取后再试",
    ),
    "not_regular": (
        "`{path}` is a pipe, socket or device and no regular file; leave it alone",
        "`{path}` 是管道、套接字或设备，不是普通文件；请不要动它",
    ),
    "other_disk": (
        "`{path}` lies on another disk than the source; read and write the file instead of moving it",
        "`{path}` 与来源不在同一磁盘；请改为读取后写入，而不是移动",
    ),
    "failed": (
        "`{path}`: the system says {cause}; look with file_info at what is there",
        "`{path}`：系统提示 {cause}；请用 file_info 查看那里有什么",
    ),
    # content
    "too_large_whole": (
        "`{path}` has {size} MB and at most {most} MB are read at once; give `start` and `end`, or search it with grep",
        "`{path}` 有 {size} MB，一次最多读取 {most} MB；请给出 `start` 和 `end`，或用 grep 搜索",
    ),
    "too_large": (
        "`{path}` has {size} MB and this tool takes at most {most} MB; use run_command for it",
        "`{path}` 有 {size} MB，此工具最多处理 {most} MB；请使用 run_command",
    ),
    "is_binary": (
        "`{path}` is or would be binary ({size} bytes with a NUL); file tools are for text, use run_command for it",
        "`{path}` 是或将成为二进制内容（{size} 字节，含 NUL）；文件工具只处理文本，请使用 run_command",
    ),
    "bad_text": (
        "the text for `{path}` holds at character {at} half of a surrogate pair, which is no text; send it without that",
        "写入 `{path}` 的文本在第 {at} 个字符处含有半个代理对，不是有效文本；请去掉后重试",
    ),
    "bad_range": (
        "`start` {start} comes after `end` {end}; give the first and the last line that you want",
        "`start` {start} 在 `end` {end} 之后；请给出所需的首行和末行",
    ),
    "no_such_line": (
        "`{path}` has {count} lines and none with the number {line}; choose `start` within them",
        "`{path}` 共 {count} 行，没有第 {line} 行；请在此范围内选择 `start`",
    ),
    "empty": ("(the file is empty)", "（文件为空）"),
    "range": ("(lines {start} to {end} of {count})", "（第 {start} 至 {end} 行，共 {count} 行）"),
    "left_out": (
        "[… {count} characters left out here; ask for a smaller part to see them …]",
        "[… 此处省略 {count} 个字符；请缩小范围以查看 …]",
    ),
    # changes
    "created": ("created `{path}` with {size} bytes", "已创建 `{path}`，{size} 字节"),
    "written": ("wrote `{path}` with {size} bytes", "已写入 `{path}`，{size} 字节"),
    "kept_crlf": ("its line ends were CRLF and still are", "其换行符原为 CRLF，保持不变"),
    "unchanged": ("`{path}` has this content already; nothing was changed", "`{path}` 已是此内容；未作改动"),
    "edited": ("edited `{path}`", "已编辑 `{path}`"),
    "edit_done": ("edit {number}: {what}", "编辑 {number}：{what}"),
    "edited_exact": ("replaced {count} time(s), at line {lines}", "替换了 {count} 处，位于第 {lines} 行"),
    "edited_near": (
        "not found exactly; replaced the lines from {line} on, which differ only in white space, with their indentation",
        "未找到完全一致的文本；已替换从第 {line} 行起仅空白不同的各行，并沿用其缩进",
    ),
    "edit_failed": (
        "edit {number} of {count} can't be made, so none was: {why}",
        "第 {number} 个编辑（共 {count} 个）无法执行，因此全部未执行：{why}",
    ),
    "old_empty": (
        "`old` is empty; name the text to replace, or use write_file for the whole content",
        "`old` 为空；请指明要替换的文本，或用 write_file 写入全部内容",
    ),
    "old_is_new": (
        "`old` and `new` are the same; nothing would change",
        "`old` 与 `new` 相同；不会有任何改动",
    ),
    "ambiguous": (
        "`old` is found {count} times (lines {lines}); add lines around it until it is unique, or say `all`",
        "`old` 出现了 {count} 次（第 {lines} 行）；请补充上下文直到唯一，或设置 `all`",
    ),
    "ambiguous_near": (
        "`old` is not found exactly, and but for white space {count} times (lines {lines}); copy it exactly and add lines around it",
        "没有与 `old` 完全一致的文本，忽略空白则有 {count} 处（第 {lines} 行）；请原样复制并补充上下文",
    ),
    "no_match": (
        "`old` is not in the file, nor anything like it; read the file again",
        "文件中没有 `old`，也没有相似内容；请重新读取文件",
    ),
    "no_match_near": (
        "`old` is not in the file; the nearest lines are around line {line}, copy from them exactly:\n{excerpt}",
        "文件中没有 `old`；最接近的内容在第 {line} 行附近，请原样复制：\n{excerpt}",
    ),
    "grows_too_large": (
        "the file would grow over {most} MB; replace less",
        "文件将超过 {most} MB；请减少替换内容",
    ),
    "deleted": ("deleted `{path}`", "已删除 `{path}`"),
    "deleted_folder": (
        "deleted the folder `{path}` with {count} files",
        "已删除文件夹 `{path}`，含 {count} 个文件",
    ),
    "moved": (
        "moved `{source}` to `{target}` ({count} files)",
        "已将 `{source}` 移动到 `{target}`（{count} 个文件）",
    ),
    "facts_cut": (
        "the first {most} files are recorded one by one, {missing} more are not",
        "前 {most} 个文件已逐一记录，另有 {missing} 个未记录",
    ),
    "into_itself": (
        "`{source}` can't be moved to `{target}`, which is the same place or inside it; choose another target",
        "无法将 `{source}` 移动到 `{target}`，两者相同或后者在前者之内；请选择其他目标",
    ),
    "target_folder": (
        "`{path}` is a folder already; to move into it, give the whole new path, `{better}`",
        "`{path}` 已是文件夹；若要移入其中，请给出完整的新路径 `{better}`",
    ),
    "holds_repository": (
        "`{path}` holds a git repository of its own (`{inner}`), which file tools don't touch; work with the files in it",
        "`{path}` 内含独立的 git 仓库（`{inner}`），文件工具不会触碰；请处理其中的文件",
    ),
    "too_many": (
        "`{path}` holds too many, too deep or closed folders to say what would happen; use run_command for it",
        "`{path}` 内的文件夹过多、过深或无法打开，无法说明后果；请使用 run_command",
    ),
    # searches
    "nothing_there": ("(nothing to show in `{path}`)", "（`{path}` 中没有可显示的内容）"),
    "more_names": ("(and {count} more; ask for a smaller part)", "（还有 {count} 个；请缩小范围）"),
    "hidden_names": (
        "({count} left out as noise or ignored by git: {names}; name one of them to look into it)",
        "（{count} 个因属杂项或被 git 忽略而略去：{names}；指定其名称即可查看）",
    ),
    "no_files": (
        "(no file below `{path}` matches `{pattern}`; noise folders and what git ignores are searched only when `path` names them)",
        "（`{path}` 下没有文件匹配 `{pattern}`；杂项文件夹和被 git 忽略的内容只有在 `path` 指明时才会搜索）",
    ),
    "no_lines": (
        "(no line matches `{pattern}` in {count} files below `{path}`; noise folders and what git ignores are searched only when `path` names them)",
        "（`{path}` 下 {count} 个文件中没有行匹配 `{pattern}`；杂项文件夹和被 git 忽略的内容只有在 `path` 指明时才会搜索）",
    ),
    "scan_cut": (
        "(there is more than was looked at: too many or closed folders; search a smaller part)",
        "（并未查看全部内容：文件夹过多或无法打开；请缩小搜索范围）",
    ),
    "without_git": (
        "(git could not list the files, so all but noise folders were looked at)",
        "（git 无法列出文件，因此查看了杂项文件夹之外的全部内容）",
    ),
    "hits_cut": (
        "(stopped after {count} matching lines; narrow the pattern or the path to see the others)",
        "（在 {count} 个匹配行后停止；请缩小模式或路径以查看其余内容）",
    ),
    "secrets_skipped": (
        "({count} files not searched, because their names say that they hold credentials: {names})",
        "（{count} 个文件因名称表明含有凭据而未搜索：{names}）",
    ),
    "large_skipped": ("({count} files over 10 MB not searched)", "（{count} 个超过 10 MB 的文件未搜索）"),
    "binary_skipped": ("({count} binary files not searched)", "（{count} 个二进制文件未搜索）"),
    "search_died": (
        "the search ended with exit {exit} before it was done; use a simpler pattern or a smaller path",
        "搜索未完成即以退出码 {exit} 结束；请使用更简单的模式或更小的路径",
    ),
    "bad_glob": (
        "the file pattern `{pattern}` is empty, longer than {longest} characters or has more than {most} alternatives; simplify it",
        "文件模式 `{pattern}` 为空、超过 {longest} 个字符或备选超过 {most} 个；请简化",
    ),
    "bad_pattern": ("the pattern `{pattern}` can't be used: {why}", "无法使用模式 `{pattern}`：{why}"),
    "regex_too_long": (
        "it is longer than {longest} characters; shorten it or search for a part",
        "超过 {longest} 个字符；请缩短或只搜索其中一部分",
    ),
    "regex_explodes": (
        "its repeats can match the same text in too many ways; nest and repeat less",
        "其重复可用过多方式匹配同一文本；请减少嵌套和重复",
    ),
    "regex_large_class": (
        "it has a class of too many characters while case is ignored; name fewer or mind the case",
        "忽略大小写时字符类过大；请减少字符或区分大小写",
    ),
    "bad_regex": (
        "it is no Python regular expression ({cause}); escape special characters with a backslash",
        "不是有效的 Python 正则表达式（{cause}）；请用反斜杠转义特殊字符",
    ),
    # arguments
    "unknown": (
        "there is no tool `{name}`{hint}; the tools are {names}",
        "没有工具 `{name}`{hint}；可用工具：{names}",
    ),
    "unknown_near": (" (did you mean {near}?)", "（您是指 {near} 吗？）"),
    "bad_arguments": (
        "{tool} can't be called so: `{argument}` {why}{more}; call it as {signature}",
        "不能这样调用 {tool}：`{argument}` {why}{more}；请这样调用：{signature}",
    ),
    "and_more": (" (and {count} more of that kind)", "（另有 {count} 处问题）"),
    "is_missing": ("is missing", "缺失"),
    "is_unknown": ("is no argument of it", "不是其参数"),
    "is_unknown_near": (
        "is no argument of it (did you mean `{near}`?)",
        "不是其参数（您是指 `{near}` 吗？）",
    ),
    "wants_text": ("must be text, not {got}", "必须是文本，而不是 {got}"),
    "wants_valid_text": (
        "must be valid text, without halves of surrogate pairs",
        "必须是有效文本，不能含半个代理对",
    ),
    "wants_whole": ("must be a whole number, not {got}", "必须是整数，而不是 {got}"),
    "wants_number": ("must be a number, not {got}", "必须是数字，而不是 {got}"),
    "wants_bool": ("must be true or false, not {got}", "必须是 true 或 false，而不是 {got}"),
    "wants_list": ("must be a list, not {got}", "必须是列表，而不是 {got}"),
    "wants_object": ("must be an object, not {got}", "必须是对象，而不是 {got}"),
    "wants_other": ("does not fit: {why}", "不合要求：{why}"),
    "no_json": (
        "the arguments of {tool} can't be read: {why}; send plain JSON",
        "无法读取 {tool} 的参数：{why}；请发送普通 JSON",
    ),
    "excess": ("the arguments of {tool} {why}", "{tool} 的参数{why}"),
    "too_deep": ("are nested more than {most} deep; send flat ones", "嵌套超过 {most} 层；请发送扁平的参数"),
    "too_many_values": ("hold more than {most} values; send less at a time", "超过 {most} 个值；请分次发送"),
    "too_much_text": (
        "hold more than {most} MB of text; send less at a time",
        "文本超过 {most} MB；请分次发送",
    ),
    # plugins
    "twice": (
        "two tools have the name `{name}`; remove one of them",
        "有两个工具名为 `{name}`；请移除其中之一",
    ),
    "plugin_refused": (
        "the tool plugin `{plugin}` of {where} can't be used: {why}; repair or uninstall it",
        "无法使用 {where} 的工具插件 `{plugin}`：{why}；请修复或卸载",
    ),
    "plugin_raised": ("loading it raised {error}", "加载时抛出 {error}"),
    "bad_cost": (
        "the tool {tool} reported the cost {cost}, which is no whole number of micro-dollars from 0 to {most} dollars; "
        "go on without it, whoever made it has to correct this",
        "工具 {tool} 报告的费用是 {cost}，不是 0 到 {most} 美元之间的整数微美元；请不用它继续，须由其作者改正",
    ),
    "no_result": (
        "the tool {tool} gave a {kind} instead of a ToolResult; go on without it, whoever made it has to correct this",
        "工具 {tool} 返回的是 {kind} 而不是 ToolResult；请不用它继续，须由其作者改正",
    ),
    "no_words": (
        "`{query}` holds no word to look for; use grep for signs",
        "`{query}` 中没有可查找的词；查找符号请用 grep",
    ),
    "more_lines": (
        "and {count} more lines; narrow it by `path` or `glob`",
        "另有 {count} 行；请用 `path` 或 `glob` 缩小范围",
    ),
    "no_money": (
        "a call of {tool} costs {cost} dollars and {left} are left of the budget; go on without it",
        "调用一次 {tool} 需要 {cost} 美元，预算只剩 {left}；请不用它继续",
    ),
    "plugin_shape": (
        "these parts of a tool are missing or wrong: {fields}",
        "工具的以下部分缺失或有误：{fields}",
    ),
    "plugin_name_taken": ("the name `{name}` belongs to another tool", "名称 `{name}` 属于另一个工具"),
}
