"""Texts of `hooks`: what went wrong with a hook, what it found, and how to mend it."""

TEXTS: dict[str, tuple[str, str]] = {
    "failed_closed": (
        "the hook {hook} failed at {point}, and a hook that fails blocks: {what}; {mend}",
        "钩子 {hook} 在 {point} 处失败，而失败的钩子会阻止操作：{what}；{mend}",
    ),
    "mend_command": (
        "a human can fix it, or set its `fail_open` in `hooks.commands` of the configuration if actions may pass without it",
        "可由人修复它；若操作可以不经它通过，请在配置的 `hooks.commands` 中为它设置 `fail_open`",
    ),
    "mend_installed": (
        "a human can fix or update the package that brings it, or take it out of `hooks.enabled` of the configuration",
        "可由人修复或更新提供它的包，或将它从配置的 `hooks.enabled` 中去掉",
    ),
    "mend_built_in": (
        "a human can take it out of `hooks.enabled` of the configuration if actions may pass without it",
        "若操作可以不经它通过，可由人将它从配置的 `hooks.enabled` 中去掉",
    ),
    "failed_open": (
        "the hook {hook} failed at {point} and had no effect: {what}",
        "钩子 {hook} 在 {point} 处失败，未起作用：{what}",
    ),
    # what a program said
    "exit": (
        "it ended with {exit} (0 passes, 2 blocks); it said: {said}",
        "它以 {exit} 结束（0 表示通过，2 表示阻止）；它说：{said}",
    ),
    "no_reason": (
        "the hook blocks without a reason; a reason goes to stderr",
        "钩子阻止了操作但没有给出理由；理由应写到 stderr",
    ),
    "no_json": (
        "it printed something that is no JSON object to stdout ({said}); print nothing or one JSON object there "
        "and all other words to stderr",
        "它向 stdout 输出了并非 JSON 对象的内容（{said}）；那里只应为空或一个 JSON 对象，其余文字请写到 stderr",
    ),
    "too_long": (
        "it printed more than {limit} bytes to stdout; print one short JSON object there",
        "它向 stdout 输出了超过 {limit} 字节；那里只应输出一个简短的 JSON 对象",
    ),
    "unknown_key": (
        "its JSON has the unknown key {key}; known ones: {known}",
        "其 JSON 含有未知的键 {key}；已知的键有：{known}",
    ),
    "twice": ("its JSON has a key twice; give each key once", "其 JSON 中有重复的键；每个键只应出现一次"),
    "no_number": (
        "its JSON holds {name}, which is no JSON number; leave it out",
        "其 JSON 含有 {name}，它不是 JSON 数字；请去掉它",
    ),
    "no_text": (
        "`{key}` of its JSON must be a text that is not empty; leave the key out to say nothing",
        "其 JSON 的 `{key}` 必须是非空文本；若无话可说请去掉该键",
    ),
    "no_arguments": (
        "`args` of its answer must be an object with the tool's arguments",
        "其回答中的 `args` 必须是包含工具参数的对象",
    ),
    "too_deep": (
        "`args` of its answer is nested deeper than {limit} levels; make it flatter",
        "其回答中的 `args` 嵌套超过 {limit} 层；请减少嵌套",
    ),
    "args_elsewhere": (
        "it changes arguments, which only a hook at before_tool can; answer `note` or `block` here",
        "它修改了参数，而只有 before_tool 处的钩子可以这样做；此处请回答 `note` 或 `block`",
    ),
    # what became of a call
    "timed_out": (
        "it did not answer within {seconds} s; make it faster or raise its `timeout`",
        "它未在 {seconds} 秒内回答；请让它更快，或调高其 `timeout`",
    ),
    "still_busy": (
        "it has not come back from an earlier call that took too long; fix what it waits for",
        "它尚未从之前超时的调用中返回；请修复它所等待的内容",
    ),
    "not_run": ("it could not be run ({why})", "无法运行它（{why}）"),
    "untold": (
        "what happened can't be written as JSON for it ({why})",
        "无法将所发生的内容写成 JSON 交给它（{why}）",
    ),
    "changed_file": (
        "its file {file} is not what it was when the run started, so it was not run; put the file back, or keep "
        "hooks outside the repository",
        "其文件 {file} 与运行开始时不同，因此未运行；请恢复该文件，或将钩子放在仓库之外",
    ),
    "raised": ("it raised {why}", "它抛出了 {why}"),
    "no_verdict": (
        "it returned {kind} instead of a Verdict or None",
        "它返回了 {kind}，而不是 Verdict 或 None",
    ),
    # before a run starts
    "no_program": (
        "the program {file} of the hook {hook} is not there or can't be run (looked from {folder}); correct "
        "`hooks.commands` in the configuration or remove the hook",
        "钩子 {hook} 的程序 {file} 不存在或无法运行（从 {folder} 查找）；请改正配置中的 `hooks.commands` 或删除该钩子",
    ),
    "no_script": (
        "the script {file} of the hook {hook} is not there (looked from {folder}); correct `hooks.commands` in the "
        "configuration or remove the hook",
        "钩子 {hook} 的脚本 {file} 不存在（从 {folder} 查找）；请改正配置中的 `hooks.commands` 或删除该钩子",
    ),
    "plugin_gone": (
        "the hook {hook} is enabled, but no installed package brings it; install the package or take the hook out of "
        "`hooks` in the configuration",
        "钩子 {hook} 已启用，但没有已安装的包提供它；请安装该包，或从配置的 `hooks` 中去掉它",
    ),
    "plugin_twice": (
        "two installed packages bring a hook {hook} ({values}); uninstall one of them",
        "有两个已安装的包提供钩子 {hook}（{values}）；请卸载其中一个",
    ),
    "plugin_failed": (
        "the hook plugin {hook} can't be loaded ({why}); fix or uninstall it, or take it out of `hooks` in the configuration",
        "无法加载钩子插件 {hook}（{why}）；请修复或卸载它，或从配置的 `hooks` 中去掉它",
    ),
    # built in
    "nothing_shown": (
        "it was not shown what would be committed, so it can't tell that no secret is in it",
        "未向它展示将要提交的内容，因此无法确认其中没有机密",
    ),
    "secrets_found": (
        "the commit would hold secrets: {found}; take them out (read them from the environment instead) and, if one "
        "was real, have it revoked",
        "该提交会包含机密：{found}；请移除它们（改为从环境变量读取），若其中有真实机密，请将其吊销",
    ),
    "unread": ("it can't be read, so it can't be searched", "无法读取，因此无法检查"),
    "and_more": (" and {count} more", " 以及另外 {count} 处"),
    "short_description": (
        "the description of the pull request has {count} visible characters and needs at least {least}; say what "
        "was changed, why, and how it was proved",
        "合并请求的描述只有 {count} 个可见字符，至少需要 {least} 个；请说明改了什么、为什么改、如何证明",
    ),
    "removed": (
        "the workspace {folder} of the failed run was removed; nothing of it was lost",
        "失败运行的工作区 {folder} 已删除；没有丢失任何内容",
    ),
    "kept": (
        "the workspace {folder} of the failed run was kept: {why}",
        "失败运行的工作区 {folder} 已保留：{why}",
    ),
    "no_log": (
        "the log of the run can't be written ({why}); the ledger has everything",
        "无法写入运行日志（{why}）；账本中有全部记录",
    ),
    "formatted": (
        "{tool} has reformatted {file}; read it again before editing it",
        "{tool} 已重新格式化 {file}；编辑前请重新读取",
    ),
    "not_formatted": ("{tool} could not format {file} ({why})", "{tool} 无法格式化 {file}（{why}）"),
}
