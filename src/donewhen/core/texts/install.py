"""What install, uninstall, arm and disarm say, and the doctor about clients."""

TEXTS: dict[str, tuple[str, str]] = {
    "help_install": (
        "Gate an agent that you use: write donewhen's hooks into the settings of CLIENT.",
        "为你使用的代理设门：把 donewhen 的钩子写入 CLIENT 的设置。",
    ),
    "help_uninstall": (
        "Take donewhen's hooks out of the settings of CLIENT; the file is as it was before.",
        "从 CLIENT 的设置中去除 donewhen 的钩子；文件恢复原样。",
    ),
    "help_hook": (
        "Answer a gated agent, with its JSON on stdin; agents call this themselves once `install` is done.",
        "答复受门控的代理，其 JSON 从标准输入读取；执行 `install` 后由代理自行调用。",
    ),
    "opt_deadline": ("Time that the answer may take.", "答复可用的时间。"),
    "hook_typed": (
        "`donewhen hook` is for gated agents, which call it with JSON on stdin; `donewhen install CLIENT` sets that up, `donewhen doctor` shows how it stands",
        "`donewhen hook` 供受门控的代理调用，JSON 从标准输入读取；`donewhen install CLIENT` 可设置，`donewhen doctor` 显示其状况",
    ),
    "help_arm": (
        "Check sessions of gated agents in FOLDER (default: here) and below, also without a configuration.",
        "在 FOLDER（默认：当前文件夹）及其下检查受门控代理的会话，即使没有配置。",
    ),
    "help_disarm": (
        "Take back `arm` for FOLDER (default: here).",
        "对 FOLDER（默认：当前文件夹）撤销 `arm`。",
    ),
    "opt_user": (
        "The user's own settings: all folders (the default).",
        "用户自己的设置：所有文件夹（默认）。",
    ),
    "opt_project": (
        "The settings in this repository, shared with everyone who uses it.",
        "此仓库中的设置，与所有使用者共享。",
    ),
    "opt_dry_run": ("Show what would change; write nothing.", "显示将要更改的内容；不写入。"),
    "opt_force": (
        "Also when the client is gated by its other file; its hooks then run twice.",
        "即使该客户端已由另一个文件门控；其钩子会运行两次。",
    ),
    "plugged": (
        "{client} is gated by its plugin; remove it first ({removal}), or use --force: its hooks then run twice",
        "{client} 已由其插件设门；请先移除（{removal}），或使用 --force：其钩子会运行两次",
    ),
    "doctor_plugged": ("gated by its plugin (to remove it: {removal})", "由插件设门（移除：{removal}）"),
    "doctor_plugin_alone": (
        "its plugin is installed, but no donewhen is on the PATH: nothing is checked; install donewhen",
        "已安装其插件，但 PATH 中没有 donewhen：不会检查任何内容；请安装 donewhen",
    ),
    "help_pause": (
        "Stop gating sessions in FOLDER (default: here) for a while; works at once, in live sessions too.",
        "暂停约束 FOLDER（默认：当前文件夹）中的会话；立即生效，包括进行中的会话。",
    ),
    "help_off": (
        "Stop gating sessions in FOLDER (default: here) until `donewhen on`.",
        "停止约束 FOLDER（默认：当前文件夹）中的会话，直到 `donewhen on`。",
    ),
    "help_on": (
        "Gate sessions in FOLDER (default: here) again after `pause` or `off`.",
        "在 `pause` 或 `off` 之后重新约束 FOLDER（默认：当前文件夹）中的会话。",
    ),
    "opt_for": (
        "How long: 30m, 2h, 1d, or `session` for the live sessions alone. Default: 1h.",
        "时长：30m、2h、1d，或 `session`（仅限进行中的会话）。默认：1h。",
    ),
    "paused": (
        "sessions in {folder} are not gated for {length} ({count} live); `donewhen on` ends it",
        "{folder} 中的会话在 {length} 内不受约束（{count} 个进行中）；`donewhen on` 可提前结束",
    ),
    "off": (
        "sessions in {folder} are not gated until `donewhen on` ({count} live)",
        "{folder} 中的会话不受约束，直到 `donewhen on`（{count} 个进行中）",
    ),
    "on": (
        "sessions in {folder} are gated again ({count} live)",
        "{folder} 中的会话重新受约束（{count} 个进行中）",
    ),
    "on_paused_above": (
        "{path} above is still paused; run `donewhen on` there",
        "上级文件夹 {path} 仍处于暂停状态；请在那里运行 `donewhen on`",
    ),
    "on_not_gated": (
        "{folder} is not gated at all; `donewhen arm` arms it",
        "{folder} 未受约束；`donewhen arm` 可启用",
    ),
    "opt_list": ("List the armed folders.", "列出已启用的文件夹。"),
    "both_scopes": (
        "give either --user or --project, not both; see `donewhen {command} --help`",
        "--user 与 --project 只能给出一个；参见 `donewhen {command} --help`",
    ),
    "list_alone": (
        "--list takes no FOLDER; see `donewhen arm --help`",
        "--list 不带 FOLDER；参见 `donewhen arm --help`",
    ),
    "no_home": (
        "the home folder is not known; set HOME (or {variable}) to an absolute path",
        "无法确定主文件夹；请把 HOME（或 {variable}）设为绝对路径",
    ),
    "no_program": (
        "the donewhen program is neither in {folder} nor on PATH, so no hook could call it; install donewhen there",
        "{folder} 和 PATH 中都没有 donewhen 程序，钩子无法调用它；请在该处安装 donewhen",
    ),
    "no_folder": (
        "{folder} is no folder; give the folder whose sessions are to be checked",
        "{folder} 不是文件夹；请给出要检查其会话的文件夹",
    ),
    "not_json": (
        "{file} can't be read as settings (line {line}); correct it there, nothing was written",
        "{file} 无法作为设置读取（第 {line} 行）；请在该处更正，未写入任何内容",
    ),
    "wrong_shape": (
        "{file} has something else than the client expects under `{key}`; correct it there, nothing was written",
        "{file} 中 `{key}` 下的内容不是客户端所期望的；请在该处更正，未写入任何内容",
    ),
    "switched_off": (
        "{file} switches all hooks off (`{key}` is {value}), so nothing would be checked; take that line out first",
        "{file} 关闭了所有钩子（`{key}` 为 {value}），因此不会检查任何内容；请先去掉该行",
    ),
    "read_only": (
        "{file} is write-protected and was left as it is; allow writing it (`chmod u+w`), or change it where it comes from",
        "{file} 有写保护，保持原样；请允许写入（`chmod u+w`），或在其来源处更改",
    ),
    "unwritable": (
        "{file} can't be written ({why}); make it yours or free some space, then try again",
        "无法写入 {file}（{why}）；请改为属于你或腾出空间，然后重试",
    ),
    "changed_meanwhile": (
        "{file} was changed by somebody else just now and was left as it is; try again",
        "{file} 刚刚被他人更改，保持原样；请重试",
    ),
    "twice": (
        "{client} is gated by {file} already, so its hooks would run twice; `donewhen uninstall {client} --{scope}` first, or give --force",
        "{client} 已由 {file} 门控，其钩子会运行两次；请先执行 `donewhen uninstall {client} --{scope}`，或给出 --force",
    ),
    "installed": ("{client}: donewhen's hooks are in {file}", "{client}：donewhen 的钩子已写入 {file}"),
    "updated": (
        "{client}: donewhen's hooks in {file} are up to date now",
        "{client}：{file} 中的 donewhen 钩子已更新",
    ),
    "already": ("already installed; nothing was changed in {file}", "已安装；{file} 未作任何更改"),
    "would_change": ("{file} would change so (nothing was written):", "{file} 将如此更改（未写入）："),
    "restored": (
        "{client} is no longer gated; {file} is as it was before, byte for byte",
        "{client} 不再门控；{file} 已逐字节恢复原样",
    ),
    "deleted": (
        "{client} is no longer gated; {file} was made by the install and is gone again",
        "{client} 不再门控；{file} 由安装创建，现已删除",
    ),
    "removed": (
        "{client} is no longer gated; donewhen's entries were taken out of {file}",
        "{client} 不再门控；已从 {file} 去除 donewhen 的条目",
    ),
    "absent": ("not installed; nothing was changed in {file}", "未安装；{file} 未作任何更改"),
    "was_changed": (
        "{file} was changed since the install; those changes were kept, and only donewhen's own entries went",
        "{file} 在安装后被更改过；这些更改已保留，只去除了 donewhen 自己的条目",
    ),
    "gated_where": (
        "Checked are sessions in folders with a .donewhen/config.yml, and in: {folders}",
        "会检查含 .donewhen/config.yml 的文件夹中的会话，以及：{folders}",
    ),
    "gated_nowhere": (
        "No session is checked yet: run `donewhen arm` in a folder whose sessions are to be checked, or `donewhen init` there",
        "尚不会检查任何会话：请在要检查会话的文件夹中运行 `donewhen arm` 或 `donewhen init`",
    ),
    "start_anew": (
        "Restart open sessions of {client}; `donewhen uninstall {client}{flag}` takes the hooks out again",
        "请重新开始 {client} 已打开的会话；`donewhen uninstall {client}{flag}` 可再次去除钩子",
    ),
    "shared": (
        "Everyone who uses this repository with {client} needs donewhen on the PATH, else its tools are refused there",
        "在此仓库中使用 {client} 的每个人都需要 PATH 中有 donewhen，否则其工具会被拒绝",
    ),
    "not_on_path": (
        "donewhen is not on your PATH now: add its folder to PATH, or install with --user",
        "donewhen 目前不在你的 PATH 中：请把其文件夹加入 PATH，或用 --user 安装",
    ),
    "this_machine": (
        "{file} names a plugin on this machine: don't share that line with others",
        "{file} 指向本机上的插件：请勿与他人共享该行",
    ),
    "trusted": ("Codex trusts these hooks and will run them", "Codex 信任这些钩子并会运行它们"),
    "untrusted": (
        "Codex does not trust these hooks yet and skips them in silence: open `codex`, type /hooks and trust the entries of {file}",
        "Codex 尚不信任这些钩子，会静默跳过：请打开 `codex`，输入 /hooks 并信任 {file} 中的条目",
    ),
    "gemini_trust": (
        "Gemini reads a project's settings only in a trusted folder: trust this one when Gemini asks",
        "Gemini 只在受信任的文件夹中读取项目设置：请在其询问时信任此文件夹",
    ),
    "armed": ("sessions in {folder} are checked from now on", "从现在起检查 {folder} 中的会话"),
    "armed_already": ("{folder} was armed already", "{folder} 已启用"),
    "disarmed": (
        "{folder} is no longer armed; live sessions in it are not gated any more",
        "{folder} 不再启用；已开始的会话仍受检查",
    ),
    "not_armed": ("{folder} was not armed", "{folder} 未启用"),
    "still_gated": ("sessions there are checked still, because of {path}", "由于 {path}，该处的会话仍受检查"),
    "none_armed": (
        "no folder is armed; `donewhen arm` arms this one",
        "没有已启用的文件夹；`donewhen arm` 启用当前文件夹",
    ),
    "no_client": (
        "no client is gated yet: `donewhen install claude` (codex, gemini, opencode) does that",
        "尚无门控的客户端：请执行 `donewhen install claude`（codex、gemini、opencode）",
    ),
    "doctor_none": (
        "none of claude, codex, gemini and opencode found",
        "未找到 claude、codex、gemini 和 opencode",
    ),
    "doctor_no_client": ("its program is not on PATH", "其程序不在 PATH 中"),
    "doctor_version": ("{version}", "{version}"),
    "doctor_no_version": ("{program} does not tell its version", "{program} 未报告其版本"),
    "doctor_not_gated": (
        "not gated (`donewhen install {client}` does that)",
        "未门控（`donewhen install {client}` 可设置）",
    ),
    "doctor_gated": ("gated by {file}", "由 {file} 门控"),
    "doctor_twice": (
        "gated twice, its hooks run twice: `donewhen uninstall {client} --project` or --user",
        "重复门控，钩子会运行两次：请执行 `donewhen uninstall {client} --project` 或 --user",
    ),
    "doctor_entries": (
        "entries are missing or of another version in {file}: run `donewhen install {client} --{scope}`",
        "{file} 中的条目缺失或属于其他版本：请执行 `donewhen install {client} --{scope}`",
    ),
    "doctor_program_gone": (
        "{file} calls {program}, which is not there: run `donewhen install {client} --{scope}`",
        "{file} 调用的 {program} 不存在：请执行 `donewhen install {client} --{scope}`",
    ),
    "doctor_not_on_path": (
        "{file} calls {program}, which is not on your PATH: add its folder to PATH, or run `donewhen uninstall {client} --{scope}`",
        "{file} 调用的 {program} 不在你的 PATH 中：请把其文件夹加入 PATH，或执行 `donewhen uninstall {client} --{scope}`",
    ),
    "doctor_untrusted": (
        "not known to be trusted, untrusted hooks are skipped in silence: look at /hooks in codex, or run `donewhen install {client} --{scope}`",
        "无法确认已受信任，未受信任的钩子会被静默跳过：请在 codex 中查看 /hooks，或执行 `donewhen install {client} --{scope}`",
    ),
    "doctor_here_config": ("sessions here are checked, because of {path}", "由于 {path}，此处的会话受检查"),
    "doctor_here_armed": (
        "sessions here are checked, because {path} is armed",
        "由于 {path} 已启用，此处的会话受检查",
    ),
    "doctor_here_not": (
        "sessions here are not checked (`donewhen init` or `donewhen arm` changes that)",
        "此处的会话不受检查（`donewhen init` 或 `donewhen arm` 可更改）",
    ),
}
