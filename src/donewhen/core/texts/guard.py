"""Texts of `guard`: why an action is refused or asked about, what would be allowed instead, what it does.

`why_<rule>` is given `target`, `instead_<rule>` and the headings nothing, `effect_<kind>` what the effect
holds.
"""

TEXTS: dict[str, tuple[str, str]] = {
    "nothing_found": ("nothing in it needs a question", "其中没有需要询问的内容"),
    "allowed_by": ("your rule {rule} permits it", "你的规则 {rule} 允许了它"),
    "allow": ("allow", "允许"),
    "ask": ("ask", "询问"),
    "deny": ("deny", "拒绝"),
    # why a rule speaks
    "why_delete_workspace": (
        "it would delete {target}: the whole workspace, the home folder or more",
        "它会删除 {target}：整个工作区、主目录甚至更多",
    ),
    "why_delete_outside": (
        "it would delete {target}, outside the workspace",
        "它会删除工作区之外的 {target}",
    ),
    "why_delete_contained": ("it would delete {target} in a container", "它会删除容器中的 {target}"),
    "why_delete_temporary": (
        "it would delete {target}, also what other programs keep there",
        "它会删除 {target}，包括其他程序放在那里的内容",
    ),
    "why_change_unknown": (
        "it would change {target}, and the command does not say which path that is",
        "它会改动 {target}，而从命令中看不出是哪个路径",
    ),
    "why_git_folder": ("it would change {target}, git's own data", "它会改动 git 自身的数据 {target}"),
    "why_own_state": (
        "it would change {target}, donewhen's own files",
        "它会改动 donewhen 自己的文件 {target}",
    ),
    "why_client_settings": (
        "it would change {target}, settings of a coding agent that its hooks depend on",
        "它会改动 {target}，即编程代理的设置，其钩子依赖于此",
    ),
    "why_write_outside": ("it would write {target}, outside the workspace", "它会写入工作区之外的 {target}"),
    "why_write_everything": (
        "it would change every file in {target}, git's own among them",
        "它会改动 {target} 中的每个文件，包括 git 自身的文件",
    ),
    "why_write_home": (
        "it would write {target}, in your home folder outside the workspace",
        "它会写入主目录中工作区之外的 {target}",
    ),
    "why_lose_work": (
        "it may lose work that exists nowhere else ({target})",
        "它可能丢失别处没有的工作成果（{target}）",
    ),
    "why_use_secret": (
        "it would load {target}, which holds credentials, for the commands after it",
        "它会为后续命令载入含有凭据的 {target}",
    ),
    "why_secret_read": ("it would read {target}, which holds credentials", "它会读取含有凭据的 {target}"),
    "why_secret_names": (
        "it would list {target}, a folder of credentials",
        "它会列出存放凭据的文件夹 {target}",
    ),
    "why_read_unknown": (
        "it would read {target}, and the command does not say which file that is",
        "它会读取 {target}，而从命令中看不出是哪个文件",
    ),
    "why_scope": (
        "it would change {target}, outside what this run may change",
        "它会改动 {target}，超出本次运行允许的范围",
    ),
    "why_kept_file": (
        "it would change {target}, a file that the promise is checked with",
        "它会改动 {target}，而承诺要用该文件检验",
    ),
    "why_force_push_protected": (
        "it would force or delete the protected branch {target} on the remote",
        "它会强制改写或删除远端受保护的分支 {target}",
    ),
    "why_force_push": (
        "it would force or delete {target} on the remote",
        "它会强制改写或删除远端的 {target}",
    ),
    "why_push_protected": (
        "it would push to the protected branch {target}",
        "它会推送到受保护的分支 {target}",
    ),
    "why_rewrite_protected": (
        "it would rewrite or delete the protected branch {target}",
        "它会改写或删除受保护的分支 {target}",
    ),
    "why_rewrite_unknown": (
        "it would rewrite or delete the branch {target}, and the command does not say which one that is",
        "它会改写或删除分支 {target}，而看不出是哪一个",
    ),
    "why_skip_hooks": ("it would pass by the hooks ({target})", "它会绕过钩子（{target}）"),
    "why_weaken_check": (
        "it would weaken a check of the project ({target})",
        "它会削弱项目的检验（{target}）",
    ),
    "why_network_to_shell": (
        "text from the network would be run by {target}",
        "来自网络的文本会被 {target} 执行",
    ),
    "why_network_to_file": ("it would fetch from {target} into files", "它会从 {target} 下载到文件"),
    "why_send_secret": ("it would send credentials to {target}", "它会把凭据发送到 {target}"),
    "why_send_data": ("it would send data to {target}", "它会把数据发送到 {target}"),
    "why_install_elsewhere": (
        "it would install outside the project ({target})",
        "它会在项目之外安装（{target}）",
    ),
    "why_install_address": (
        "it would install from an address instead of a registry ({target})",
        "它会从某个地址而不是注册表安装（{target}）",
    ),
    "why_publish": ("it would publish ({target})", "它会发布（{target}）"),
    "why_data_loss": ("it would destroy data for good ({target})", "它会永久销毁数据（{target}）"),
    "why_data_change": (
        "it would change something elsewhere that may not come back ({target})",
        "它会改动别处可能无法恢复的内容（{target}）",
    ),
    "why_signal_all": (
        "it would end all processes of a user ({target})",
        "它会结束某个用户的所有进程（{target}）",
    ),
    "why_signal": ("it would end processes ({target})", "它会结束进程（{target}）"),
    "why_privilege": ("it would take other rights ({target})", "它会获取其他权限（{target}）"),
    "reveals_variable": ("a secret variable", "机密变量"),
    "reveals_filtered": ("parts of the environment", "部分环境"),
    "reveals_environment": ("the environment", "环境"),
    "reveals_credential": ("a stored credential", "存储的凭据"),
    "why_persistent_job": (
        "it would change what runs on its own later ({target})",
        "它会改变以后自动运行的内容（{target}）",
    ),
    "why_machine_state": ("it would change the machine's state ({target})", "它会改变机器状态（{target}）"),
    "why_host_access": ("the container would get the host ({target})", "容器会获得宿主机（{target}）"),
    "why_loaded_code": (
        "it would put other code into the program ({target})",
        "它会把其他代码加载进程序（{target}）",
    ),
    "why_exhaustion": ("it would exhaust the machine ({target})", "它会耗尽机器资源（{target}）"),
    "why_look_alike": (
        "it has characters that look like others or hide text ({target})",
        "其中含有形似或隐藏文本的字符（{target}）",
    ),
    "why_environment": ("it would show the whole environment", "它会显示整个环境"),
    "why_credential": (
        "it would show what may hold credentials ({target})",
        "它会显示可能含有凭据的内容（{target}）",
    ),
    "why_dangerous_name": (
        "the name of the program {target} sounds dangerous",
        "程序 {target} 的名称听起来有危险",
    ),
    "why_unknown": ("what it does is not known: {target}", "无法判断它会做什么：{target}"),
    "why_dangerous_tool": ("the tool {target} is marked as dangerous", "工具 {target} 被标为危险"),
    "why_tool_permission": ("the tool {target} needs permission", "工具 {target} 需要许可"),
    "why_typed_text": (
        "it would type more than an answer into a program that runs already ({target})",
        "它会向正在运行的程序输入不只是应答的文本（{target}）",
    ),
    "why_tool_name": ("the name of the tool {target} sounds dangerous", "工具 {target} 的名称听起来有危险"),
    "why_budget_floor": (
        "the budget is down to its floor, nothing more is started ({target})",
        "预算已到下限，不再启动任何操作（{target}）",
    ),
    "why_bad_arguments": ("the arguments of {target} can't be read", "无法读取 {target} 的参数"),
    "why_own_rule": ("a rule of the configuration says so", "配置中的规则如此规定"),
    "why_own_rule_said": ("{said}", "{said}"),
    # what would be allowed instead
    "instead_delete_workspace": (
        "delete the files and folders that are meant, by name, inside the workspace",
        "请在工作区内按名称删除所指的文件和文件夹",
    ),
    "instead_delete_outside": (
        "delete only inside the workspace, or your own files in /tmp by name",
        "请只在工作区内删除，或按名称删除 /tmp 中自己的文件",
    ),
    "instead_delete_contained": (
        "let a human do it, or recreate the container",
        "请交给人处理，或重新创建容器",
    ),
    "instead_delete_temporary": ("delete only your own files in it, by name", "请按名称只删除其中自己的文件"),
    "instead_change_unknown": ("write the path out", "请写出具体路径"),
    "instead_git_folder": (
        "use git commands that need no change in there",
        "请使用不需要改动那里的 git 命令",
    ),
    "instead_own_state": (
        "leave these files to the user; ask for what should change",
        "这些文件由用户管理；请提出需要的改动",
    ),
    "instead_client_settings": (
        "leave them to the user; say which setting should change",
        "请留给用户处理；说明应更改哪项设置",
    ),
    "instead_write_outside": ("write inside the workspace or to /tmp", "请写入工作区或 /tmp"),
    "instead_write_home": ("write inside the workspace or to /tmp", "请写入工作区或 /tmp"),
    "instead_lose_work": (
        "commit or stash what is there first, or name only files that you made yourself",
        "请先提交或贮藏现有内容，或只指明你自己创建的文件",
    ),
    "instead_use_secret": (
        "let the program load the file itself, or let the user start it",
        "请让程序自己载入该文件，或由用户启动",
    ),
    "instead_write_everything": (
        "name the files that are meant, e.g. with `-name` or `git ls-files`",
        "请指明所指的文件，例如用 `-name` 或 `git ls-files`",
    ),
    "instead_secret_read": (
        "read an example file such as .env.example, or ask the user for what is needed",
        "请读取 .env.example 之类的示例文件，或向用户询问所需内容",
    ),
    "instead_secret_names": ("ask the user for what is needed", "请向用户询问所需内容"),
    "instead_read_unknown": ("write the path out", "请写出具体路径"),
    "instead_scope": (
        "change only what the promise allows; what is already changed can be put back with git checkout HEAD -- PATH; or ask for a wider scope",
        "请只改动承诺允许的内容；已改动的可用 git checkout HEAD -- PATH 还原；或请求扩大范围",
    ),
    "instead_kept_file": (
        "change the code, not the file that it is checked with",
        "请修改代码，而不是用来检验它的文件",
    ),
    "instead_force_push_protected": (
        "push to a branch of your own and open a pull request",
        "请推送到自己的分支并发起拉取请求",
    ),
    "instead_force_push": ("push without force", "请不带强制选项推送"),
    "instead_push_protected": (
        "push to a branch of your own and open a pull request",
        "请推送到自己的分支并发起拉取请求",
    ),
    "instead_rewrite_protected": ("work on a branch of your own", "请在自己的分支上工作"),
    "instead_rewrite_unknown": ("write the branch out", "请写出具体分支"),
    "instead_skip_hooks": (
        "commit without passing by the hooks and repair what they find",
        "提交时不要绕过钩子，并修复它们发现的问题",
    ),
    "instead_weaken_check": ("repair what the check finds", "请修复该检验发现的问题"),
    "instead_network_to_shell": (
        "fetch it to a file, show it to the user and run it only then",
        "请先下载到文件，给用户看过再运行",
    ),
    "instead_network_to_file": (
        "print it instead of keeping it, or use the project's package manager",
        "请只打印而不保存，或使用项目的包管理器",
    ),
    "instead_send_secret": ("send nothing that holds credentials", "请不要发送任何含凭据的内容"),
    "instead_send_data": ("ask the user, or send only to this machine", "请询问用户，或只发送到本机"),
    "instead_install_elsewhere": ("ask the user, or install into the project", "请询问用户，或安装到项目中"),
    "instead_install_address": ("install from the registry", "请从注册表安装"),
    "instead_publish": ("leave publishing to the user", "请把发布留给用户"),
    "instead_data_loss": ("leave it to the user", "请留给用户处理"),
    "instead_data_change": (
        "use a form that only reads or plans, or ask the user",
        "请使用只读或只做计划的形式，或询问用户",
    ),
    "instead_signal_all": ("end your own background jobs by their number", "请按编号结束自己的后台任务"),
    "instead_signal": ("end your own background jobs by their number", "请按编号结束自己的后台任务"),
    "instead_privilege": ("run it without", "请不用提权直接运行"),
    "instead_persistent_job": ("run it once, in the foreground", "请在前台运行一次"),
    "instead_machine_state": ("leave the machine as it is", "请保持机器原样"),
    "instead_host_access": (
        "mount only folders of the workspace and no sockets",
        "请只挂载工作区的文件夹，不要挂载套接字",
    ),
    "instead_loaded_code": ("run the program with the usual variables", "请用通常的变量运行程序"),
    "instead_exhaustion": ("start a bounded number of processes", "请启动有限数量的进程"),
    "instead_look_alike": ("write it in plain ASCII characters", "请用普通 ASCII 字符书写"),
    "instead_environment": ("print the one variable that is needed", "请只打印所需的那个变量"),
    "instead_credential": (
        "let the program read the variable itself, without printing it",
        "请让程序自己读取该变量，不要打印",
    ),
    "instead_dangerous_name": ("ask the user", "请询问用户"),
    "instead_unknown": ("write the command out in plain words", "请用普通词语写出命令"),
    "instead_dangerous_tool": ("ask the user", "请询问用户"),
    "instead_tool_permission": ("ask the user", "请询问用户"),
    "instead_typed_text": ("run the whole line as a command of its own", "请把整行作为单独的命令运行"),
    "instead_tool_name": ("ask the user", "请询问用户"),
    "instead_budget_floor": (
        "finish with what there is, or ask for more budget",
        "请用现有成果收尾，或申请更多预算",
    ),
    "instead_bad_arguments": ("call the tool with the arguments it describes", "请按工具说明提供参数"),
    # what can't be told
    "unknown_command": (
        "which program is run is only known when it runs ({detail})",
        "运行时才知道执行哪个程序（{detail}）",
    ),
    "unknown_text": (
        "the text that a shell would run is only known when it runs ({detail})",
        "运行时才知道 shell 会执行什么文本（{detail}）",
    ),
    "unknown_code": ("what the code does is not known ({detail})", "从代码中看不出它会做什么（{detail}）"),
    "unknown_path": ("the path is only known when it runs ({detail})", "运行时才知道路径（{detail}）"),
    "unknown_ref": ("the branch is only known when it runs ({detail})", "运行时才知道分支（{detail}）"),
    "unknown_option": (
        "what this option or setting does is not known ({detail})",
        "不知道该选项或设置的作用（{detail}）",
    ),
    "unreadable": ("it can't be read ({detail})", "无法读取（{detail}）"),
    "broken": (
        "donewhen failed to judge it, which is a bug of ours ({detail})",
        "donewhen 未能判定它，这是我们的错误（{detail}）",
    ),
    "too_much": ("it is too much to be judged ({detail})", "内容过多，无法判断（{detail}）"),
    # what an effect is
    "effect_executes": ("runs {program}", "运行 {program}"),
    "effect_reads": ("reads {path}", "读取 {path}"),
    "effect_names": ("looks at {path}", "查看 {path}"),
    "effect_writes": ("writes {path}", "写入 {path}"),
    "effect_deletes": ("deletes {path}", "删除 {path}"),
    "effect_pushes": ("pushes to {ref} of {remote}", "推送到 {remote} 的 {ref}"),
    "effect_forces": ("force-pushes to {ref} of {remote}", "强制推送到 {remote} 的 {ref}"),
    "effect_drops": ("deletes {ref} of {remote}", "删除 {remote} 的 {ref}"),
    "effect_rewrites": ("rewrites {ref} ({how})", "改写 {ref}（{how}）"),
    "loses_changes": ("changes that are not committed", "尚未提交的改动"),
    "loses_untracked": ("files that git does not track", "git 未跟踪的文件"),
    "loses_stash": ("what is stashed", "已贮藏的内容"),
    "effect_loses": ("throws away {what}", "丢弃{what}"),
    "effect_skipshooks": ("passes by hooks ({how})", "绕过钩子（{how}）"),
    "effect_connects": ("connects to {host}", "连接 {host}"),
    "effect_sends": ("sends {what} to {host}", "向 {host} 发送 {what}"),
    "effect_fetches": ("fetches from {host} into {path}", "从 {host} 下载到 {path}"),
    "effect_runsfetched": ("{program} runs text from the network", "{program} 执行来自网络的文本"),
    "effect_installs": ("installs with {manager} ({where}) {source}", "用 {manager} 安装（{where}）{source}"),
    "effect_publishes": ("publishes with {manager} {what}", "用 {manager} 发布 {what}"),
    "effect_signals": ("ends processes: {target} {name}", "结束进程：{target} {name}"),
    "effect_raises": ("takes other rights with {by}", "用 {by} 获取其他权限"),
    "effect_reveals": ("shows {what} {name}", "显示 {what} {name}"),
    "effect_destroys": ("{what}: {target}", "{what}：{target}"),
    "effect_persists": ("goes on running: {how}", "持续运行：{how}"),
    "effect_alters": ("changes the machine: {what}", "改变机器：{what}"),
    "effect_hostaccess": ("gives a container the host: {how}", "让容器获得宿主机：{how}"),
    "effect_loads": ("loads other code by {by}", "通过 {by} 加载其他代码"),
    "effect_exhausts": ("exhausts the machine: {how}", "耗尽机器资源：{how}"),
    "effect_disguises": ("disguised text: {text}", "伪装的文本：{text}"),
    "effect_weakens": ("weakens a check: {what}", "削弱检验：{what}"),
    "effect_unknown": ("not known: {why}", "未知：{why}"),
    # what the commands say
    "head": ("{action}: {reason}", "{action}：{reason}"),
    "line_command": ("in: {command}", "位于：{command}"),
    "line_by": ("through: {by}", "经由：{by}"),
    "line_instead": ("allowed instead: {instead}", "可改为：{instead}"),
    "line_rule": (
        "rule: {rule} ({action}, approval {approval})",
        "规则：{rule}（{action}，批准 {approval}）",
    ),
    "heading_effects": ("what it would do", "它会做什么"),
    "heading_more": ("also found", "还发现"),
    "elsewhere_host": ("on another machine", "在另一台机器上"),
    "elsewhere_container": ("in a container", "在容器中"),
    "wrong_case": (
        "{id}: expected {expected}, got {got} ({rule})",
        "{id}：预期{expected}，得到{got}（{rule}）",
    ),
    "no_rule": ("no rule", "无规则"),
    "score": (
        "{right} of {cases} cases are right ({percent} %), {holes} holes (deny answered allow), "
        "{false_alarms} false alarms",
        "{cases} 个用例中 {right} 个正确（{percent} %），漏洞 {holes} 个（应拒绝却允许），误报 {false_alarms} 个",
    ),
    "col_expected": ("EXPECTED ↓ GOT →", "预期 ↓ 得到 →"),
    "bad_expectation": (
        "`{field}` in {place} must be allow, ask or deny",
        "{place} 中的 `{field}` 必须是 allow、ask 或 deny",
    ),
    "bad_alternatives": (
        "`also_ok` in {place} must be a list of allow, ask and deny",
        "{place} 中的 `also_ok` 必须是由 allow、ask、deny 组成的列表",
    ),
    "bad_context": (
        "`{name}` in the context of {place} is not known or has the wrong type; use one of {known}",
        "{place} 的 context 中的 `{name}` 未知或类型不对；可用：{known}",
    ),
    "col_rule": ("RULE", "规则"),
    "col_decision": ("DECISION", "判定"),
    "col_lifted_by": ("LIFTED BY", "解除方式"),
    "col_what": ("WHY", "原因"),
    "lifted_allow": ("an allow rule", "allow 规则"),
    "lifted_part": ("an allow rule, in part", "allow 规则（部分）"),
    "lifted_nothing": ("nothing", "无法解除"),
    "lifted_own": ("your configuration", "你的配置"),
    "in_checkout": (" (in your own checkout alone)", "（仅在你自己的检出中）"),
    "rules_locked": (
        "An allow rule of yours (guardrails.rules) lifts any denial in your own checkout, except:",
        "在你自己的检出中，你的 allow 规则（guardrails.rules）可解除任何拒绝，以下除外：",
    ),
    "locked_delete_workspace": (
        "deleting the home folder, the root, or a folder that holds the workspace",
        "删除主目录、根目录或包含工作区的文件夹",
    ),
    "locked_own_state": (
        "donewhen's own files and package, and the commands that are the human's: pause, off, on, amend, "
        "confirm, deny, approve, trust, arm, disarm, install, uninstall, --permit, --confirmed",
        "donewhen 自己的文件和软件包，以及只属于人的命令：pause、off、on、amend、confirm、deny、approve、trust、arm、disarm、install、uninstall、--permit、--confirmed",
    ),
    "locked_write_outside": ("writing to devices", "写入设备"),
    "locked_secret_read": ("reading credentials", "读取凭据"),
    "locked_credential": ("showing credentials", "显示凭据"),
    "locked_send_secret": ("sending credentials", "发送凭据"),
    "locked_force_push_protected": (
        "force-pushing or deleting protected branches on the remote",
        "强制推送或删除远端受保护的分支",
    ),
    "locked_rewrite_protected": ("deleting or renaming protected branches", "删除或重命名受保护的分支"),
    "locked_data_loss": ("overwriting devices", "覆写设备"),
    "locked_bad_arguments": ("a call that can't be read, and so not be judged", "无法读取因而无法判定的调用"),
    # rules of the configuration
    "example_not_matched": (
        "the rule {rule} does not match its own example `{example}`; correct the rule or the example{place}",
        "规则 {rule} 不匹配它自己的示例 `{example}`；请修改规则或示例{place}",
    ),
    "example_matched": (
        "the rule {rule} matches `{example}`, which it says it must not; correct the rule or the example{place}",
        "规则 {rule} 匹配了它声明不应匹配的 `{example}`；请修改规则或示例{place}",
    ),
    "rule_name_taken": (
        "{rule} is the name of a built-in rule; give the rule another name{place}",
        "{rule} 是内置规则的名称；请给该规则换个名称{place}",
    ),
    "rule_unreadable": (
        "the command of the rule {rule} can't be read ({why}); write plain words{place}",
        "无法读取规则 {rule} 的 command（{why}）；请写普通词语{place}",
    ),
    "at_place": (" ({where})", "（{where}）"),
    "plugin_failed": (
        "the rule plugin {plugin} can't be loaded ({why}); remove or repair it",
        "无法加载规则插件 {plugin}（{why}）；请移除或修复它",
    ),
}
