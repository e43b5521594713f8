"""Help pages of the command line."""

TEXTS: dict[str, tuple[str, str]] = {
    "donewhen": (
        "Done is a proof, not a claim: a harness for coding agents.",
        "完成要靠证明，而不是声明：编码代理的约束框架。",
    ),
    "run": (
        "Drive an agent to acceptance, in a workspace of its own.",
        "驱动代理直到验收，在它自己的工作区中进行。",
    ),
    "run_agent": (
        "The agent that does the work: claude, codex, gemini, opencode, aider, goose, 'command:PROGRAM … {{prompt}}', or a name of the configuration.",
        "完成工作的代理：claude、codex、gemini、opencode、aider、goose、'command:PROGRAM … {{prompt}}'，或配置中的名称。",
    ),
    "run_script": ("Play this script as the agent (no model).", "以该脚本作为代理（不使用模型）。"),
    "run_budget": ("Dollars that the run may spend.", "运行可花费的美元数。"),
    "run_in_place": (
        "Work in this folder itself, or in a workspace of its own (default).",
        "直接在本文件夹中工作，或在单独的工作区中（默认）。",
    ),
    "run_with_changes": (
        "Start from the working tree with its uncommitted changes, not from HEAD.",
        "从包含未提交改动的工作树开始，而不是从 HEAD。",
    ),
    "run_branch": (
        "Branch for the result; default: donewhen/ and three words of the goal.",
        "结果所在分支；缺省为 donewhen/ 加目标中的三个词。",
    ),
    "run_on_ask": (
        "What a question to a human becomes: wait for an answer, deny it, or pause the run.",
        "向人提问时：等待回答、拒绝，或暂停运行。",
    ),
    "run_approve_plan": ("Wait for your yes to the agent's plan.", "先由人同意代理的计划。"),
    "run_yes": (
        "Accept the promise even where it has something unusual; without it such a run does not start.",
        "即使承诺有不寻常之处也接受；否则此类运行不会开始。",
    ),
    "run_keep": ("Keep the workspace, whatever became of the run.", "无论结果如何都保留工作区。"),
    "run_events": ("Print every event as a JSON line while it happens.", "逐行打印每个事件（JSON）。"),
    "amend": ("Change what RUN has to prove; shown as a diff first.", "修改 RUN 须证明的内容；先显示差异。"),
    "confirm": (
        "Confirm TEXT, which the promise of RUN wants from a human.",
        "确认 RUN 的承诺要求由人确认的 TEXT。",
    ),
    "usage": ("Usage: ", "用法："),
    "options_piece": ("[OPTIONS]", "[选项]"),
    "command_piece": ("COMMAND …", "命令 …"),
    "options": ("Options", "选项"),
    "commands": ("Commands", "命令"),
    "group_work": ("Work", "工作"),
    "group_judge": ("Judge", "判定"),
    "group_gate": ("Gate the agents you use", "为你使用的代理设门"),
    "group_look": ("Look", "查看"),
    "group_set_up": ("Set up", "设置"),
    "help": ("Show this page.", "显示本页。"),
    "version": ("Show the version.", "显示版本。"),
    "debug": ("Show a traceback when something fails.", "失败时显示回溯。"),
    "quiet": ("Only results and problems.", "只输出结果和问题。"),
    "verbose": ("More detail: files and store used, whole texts.", "更多细节：所用的文件与存储、完整内容。"),
    "json": ("One JSON object on stdout.", "在标准输出上打印一个 JSON 对象。"),
    "set": ("A setting for this call, e.g. budget.total=5.", "仅本次生效的设置，如 budget.total=5。"),
    "dry_run": ("Say what would be done; change nothing.", "只说明将做什么，不做任何改动。"),
    "list": ("List runs, newest first.", "列出运行，最新的在前。"),
    "list_state": ("Only runs in this state; may be repeated.", "只列出处于该状态的运行；可重复。"),
    "list_repo": ("Only runs of this repository.", "只列出该仓库的运行。"),
    "list_since": (
        "Created since: 2026-11-01, or this long ago: 30min, 12h, 7d, 2w.",
        "自某时起创建：2026-11-01，或多久以前：30min、12h、7d、2w。",
    ),
    "list_until": ("Created before (as above).", "在某时之前创建（写法同上）。"),
    "list_all": ("Runs of all repositories.", "列出所有仓库的运行。"),
    "list_all_kinds": (
        "Also each `verify`, and sessions that changed nothing.",
        "也列出每次 `verify` 以及未作改动的会话。",
    ),
    "list_limit": ("How many at most (50); 0 for all.", "最多多少个（50）；0 表示全部。"),
    "show": (
        "Show one run: RUN is an id, a unique prefix or `last`.",
        "显示一个运行：RUN 是编号、唯一前缀或 `last`。",
    ),
    "report": (
        "Report one run with its proof board: a page, a comment or JSON.",
        "以证明板报告一个运行：网页、评论或 JSON。",
    ),
    "show_events": ("The events as JSON lines.", "以 JSON 行输出事件。"),
    "approve": (
        "Allow what question ASK of a run is about; without ASK, list the open questions.",
        "准许运行的问题 ASK 所问之事；不给 ASK 则列出未回答的问题。",
    ),
    "approve_run": ("The same again in this run needs no question.", "本次运行中相同的操作不再询问。"),
    "approve_always": (
        "Also in later runs: a rule for exactly this command in your own configuration.",
        "以后的运行也准许：在你自己的配置中加入恰好针对该命令的规则。",
    ),
    "approve_note": ("A note for the ledger.", "写入账本的备注。"),
    "deny": ("Refuse what question ASK of a run is about.", "拒绝运行的问题 ASK 所问之事。"),
    "deny_note": (
        "A reason, which the agent reads; a plan that is denied without one ends the run.",
        "告诉代理的原因；不附原因地拒绝计划会结束运行。",
    ),
    "audit": (
        "Check that a run's ledger is what was written; name every event that is not.",
        "检查运行的账本是否与写入时一致，并指出每条不符的事件。",
    ),
    "audit_all": ("Every run in the store.", "存储中的所有运行。"),
    "audit_record": (
        "Check that the working tree is the one that this acceptance record names.",
        "检查工作树是否就是该验收记录所指的文件树。",
    ),
    "audit_commit": ("With --record: check this commit instead.", "与 --record 同用：改为检查该提交。"),
    "audit_signers": (
        "With --record: whose signatures count; allowed signers (ssh) or a public key (minisign).",
        "与 --record 同用：谁的签名有效；ssh 的 allowed signers 文件或 minisign 公钥。",
    ),
    "export": ("Write a run as one JSONL file.", "把一个运行写成一个 JSONL 文件。"),
    "export_output": ("The file to write; without it, stdout.", "要写入的文件；不给则写到标准输出。"),
    "export_force": ("Replace the file if it exists.", "文件已存在时替换。"),
    "import": (
        "Take in an exported run from FILE (- for stdin), proven before anything is written.",
        "从 FILE（- 表示标准输入）导入一个运行，先验证再写入。",
    ),
    "gc": (
        "Give space back: artifacts that no run refers to (older than an hour), what removed runs left (workspaces, references, checkpoints), caches of repositories that are gone or unused for 30 days, and ended runs by age or size.",
        "释放空间：没有运行引用的工件（超过一小时）、已删除运行的遗留物（工作区、引用、检查点）、已不存在或 30 天未使用的仓库的缓存，以及按时间或大小清除已结束的运行。",
    ),
    "gc_older": (
        "Also ended runs last touched before (30d), and caches last used before.",
        "同时清除最后变动早于某时的已结束运行（30d），以及最后使用早于该时的缓存。",
    ),
    "gc_cache": (
        "Also the caches of all repositories that nobody uses right now; they are made again when needed.",
        "同时清除当前无人使用的所有仓库缓存；需要时会重新生成。",
    ),
    "gc_size": (
        "Also the oldest ended runs, until the rest fits (500MB).",
        "同时清除最旧的已结束运行，直到其余不超过该大小（500MB）。",
    ),
    "config": ("Show, check, migrate the configuration.", "显示、检查、迁移配置。"),
    "config_show": ("Print every effective value and where it came from.", "打印每个生效的值及其来源。"),
    "config_show_changed": ("Only what differs from the defaults.", "只显示与默认值不同的项。"),
    "config_validate": (
        "Check configuration files (all that apply here, or FILE); report every problem.",
        "检查配置文件（此处适用的全部，或 FILE），报告所有问题。",
    ),
    "config_schema": ("Print the JSON Schema for editors.", "打印供编辑器使用的 JSON Schema。"),
    "config_migrate": (
        "Bring FILE (or the project's file) to today's keys; comments stay, a .bak is kept.",
        "把 FILE（或项目文件）改为当前的键；保留注释，并留下 .bak。",
    ),
    "trust": ("Trust the project's configuration as it stands now.", "信任项目配置的当前内容。"),
    "untrust": (
        "Take that trust back: the project's file may only tighten again.",
        "收回信任：项目文件重新只能收紧。",
    ),
    "doctor": ("Check this machine and set-up; say what to do.", "检查本机与设置，并说明该做什么。"),
    "completion": ("Print the completion script of a shell.", "打印某个 shell 的补全脚本。"),
    "demo": (
        "Show the main job on an embedded example: plan, match, gate, ledger, audit.",
        "用内置示例演示主要功能：计划、匹配、门禁、账本、审计。",
    ),
    "demo_keep": ("Keep the demo's folder and say where it is.", "保留演示文件夹并说明位置。"),
    "gate": ("Ask what the gate would decide.", "询问门禁会如何判定。"),
    "gate_decide": (
        "Decide one story (a JSON file, - for stdin) or a stored run.",
        "判定一个故事（JSON 文件，- 表示标准输入）或已存的运行。",
    ),
    "gate_run": ("Ask about a stored run instead of a file.", "改为询问已存的运行。"),
    "gate_at": ("Only events up to this number.", "只看到这个编号为止的事件。"),
    "gate_test": (
        "Play a JSONL corpus of stories and compare with what each expects.",
        "播放 JSONL 故事集并与各自的期望比较。",
    ),
    "init": (
        "Detect the project and write a commented configuration with what was found.",
        "检测项目并写入带注释的配置及其发现。",
    ),
    "verify": (
        "Judge the change in this working tree: run its exam and decide; needs no model.",
        "评判此工作树中的更改：运行考试并作出决定；不需要模型。",
    ),
    "verify_accept": (
        "A command that must succeed; may be given several times. Without any, the project's own tests.",
        "必须成功的命令；可多次给出。若无，则用项目自己的测试。",
    ),
    "verify_goal": ("Take commands and files that TEXT asks for.", "采用 TEXT 所要求的命令与文件。"),
    "verify_base": (
        "Compare with REF; by default with where the branch left the one it goes to.",
        "与 REF 比较；默认与该分支从目标分支分出之处比较。",
    ),
    "verify_profile": (
        "Which set of checks: task_only, create_file, docs, config, edit_code, fix_bug, refactor.",
        "检查集：task_only、create_file、docs、config、edit_code、fix_bug、refactor。",
    ),
    "verify_gate": (
        "A gate that must pass: types, lint, complexity, security, coverage, build, or one of your own; repeatable.",
        "必须通过的门禁：types、lint、complexity、security、coverage、build 或自定义门禁；可多次给出。",
    ),
    "verify_allow_unproven": (
        "Where the project has no tests and nobody declared a command: exit 0, labelled *nothing proven*.",
        "项目没有测试且无人声明命令时：以 0 退出，并标明“未证明任何内容”。",
    ),
    "verify_clean_room": (
        "Judge the commit, in a fresh folder that holds nothing else.",
        "在只含提交内容的全新文件夹中评判该提交。",
    ),
    "verify_all": (
        "Go on after a stage that failed, so that everything is reported.",
        "某阶段失败后继续，以报告全部结果。",
    ),
    "verify_no_cache": (
        "Run every command, also those that passed on this very tree before.",
        "运行所有命令，包括之前已在同一棵树上通过的。",
    ),
    "verify_confirmed": (
        "a question that somebody with the right to do so answered with yes, outside the change (repeatable)",
        "已由有权者在改动之外以“是”回答的问题（可重复）",
    ),
    "verify_permit": (
        "Let the exam change in files that match GLOB, or one test (tests/test_a.py::test_b); repeatable.",
        "允许匹配 GLOB 的文件或某个测试（tests/test_a.py::test_b）中的考试改变；可多次给出。",
    ),
    "verify_record": (
        "Also write the acceptance record to FILE when the change is accepted.",
        "改动被接受时，把验收记录也写入 FILE。",
    ),
    "verify_format": ("How the result is printed.", "结果的打印方式。"),
    "verify_review": (
        "A review of the change, written by you or somebody else; it must pass (docs/review.md).",
        "由您或他人撰写的改动评审；必须通过（docs/review.md）。",
    ),
    "verify_reviewer": (
        "Let this model (provider:model) review the change once all else holds (docs/review.md).",
        "其余条件都满足后，由该模型（provider:model）评审改动（docs/review.md）。",
    ),
    "verify_budget": (
        "Dollars that a reviewer, and gates with a `cost`, may spend (1).",
        "评审者和带有 `cost` 的检查可花费的美元数，默认 1。",
    ),
    "verify_output": (
        "Write a report as well; the format by name (sarif=FILE) or by the file's ending. May be repeated.",
        "同时写出一份报告；格式由名称（sarif=FILE）或文件扩展名决定。可重复给出。",
    ),
    "plan": (
        "Show the promise that a run would have to keep, with the source of each part; runs nothing.",
        "显示运行须兑现的承诺及其每一部分的来源；不运行任何东西。",
    ),
    "plan_goal_file": ("Read the goal from FILE (- for stdin).", "从 FILE 读取目标（- 表示标准输入）。"),
    "plan_spec": (
        "An OpenSpec change (folder or id), a Markdown page or an OpenAPI document.",
        "OpenSpec 变更（目录或编号）、Markdown 页面或 OpenAPI 文档。",
    ),
    "plan_promise": ("A promise file, YAML or JSON.", "承诺文件，YAML 或 JSON。"),
    "plan_accept": ("A command that must pass; may be repeated.", "必须通过的命令；可重复。"),
    "plan_answer_only": ("Only an answer is wanted; nothing is proven.", "只要回答，不证明任何事。"),
    "guard": ("Explain what the guard says to a command; test it.", "解释防护对一条命令的判定，并检验它。"),
    "guard_check": (
        "Show whether COMMAND (one word, `-` for stdin) would be allowed here, asked about or denied, and why.",
        "显示 COMMAND（一个参数，`-` 表示标准输入）在此处会被允许、询问还是拒绝，以及原因。",
    ),
    "guard_check_cwd": ("Folder the command would run in.", "命令将在其中运行的文件夹。"),
    "guard_check_run": (
        "Judge as in a run's own workspace; without it as in your own checkout.",
        "按运行自己的工作区判定；不加则按你自己的检出判定。",
    ),
    "guard_rules": (
        "All rules, and what lifts them in your own checkout.",
        "所有规则，以及在你自己的检出中如何解除它们。",
    ),
    "guard_test": (
        "Judge every case of FILE (JSON Lines: id, command, expect) on a fixed ground; print the confusion table.",
        "在固定的环境中判定 FILE 的每个用例（JSON Lines：id、command、expect），并打印混淆表。",
    ),
    "goal": ("Show what a goal requires; test that reading.", "显示目标要求什么，并检验这种解读。"),
    "goal_parse": (
        "Show which commands TEXT (or stdin) requires, which files it orders, and what was not taken and why.",
        "显示 TEXT（或标准输入）要求哪些命令、要写哪些文件，以及未采用的内容和原因。",
    ),
    "goal_parse_file": ("Read the goal from this file.", "从该文件读取目标。"),
    "goal_test": (
        "Read a JSONL corpus of goals and compare with what it expects.",
        "读取 JSONL 目标语料并与预期对比。",
    ),
    "match": (
        "Say whether the line EXECUTED proves the command DECLARED; `match test FILE` plays a JSONL corpus.",
        "说明 EXECUTED 这一行是否证明了 DECLARED；`match test FILE` 播放 JSONL 用例集。",
    ),
    "match_shell": ("The shell that both lines are written for.", "两行所用的 shell。"),
}
