"""What `donewhen init` says, and the comments of the file that it writes."""

TEXTS: dict[str, tuple[str, str]] = {
    "opt_force": ("Replace an existing configuration; a .bak is kept.", "替换已有的配置；保留一份 .bak。"),
    "opt_dry_run": ("Print the file; write nothing.", "只打印文件内容，不写入。"),
    "opt_from": (
        "Copy the configuration of another project (a folder or a file).",
        "复制另一个项目的配置（目录或文件）。",
    ),
    "opt_no_trust": ("Don't record that you trust the written file.", "不记录您信任所写的文件。"),
    "found_in": ("Found in {folder}", "在 {folder} 中发现"),
    "nothing_found": ("no manifest of a known language was found", "没有发现已知语言的清单文件"),
    "languages": ("languages", "语言"),
    "managers": ("package managers", "包管理器"),
    "tests": ("Tests", "测试"),
    "gates": ("Checks that are set up", "已配置的检查"),
    "parts": ("Parts", "组成部分"),
    "notes": ("Notes", "提示"),
    "col_command": ("COMMAND", "命令"),
    "col_source": ("SOURCE", "来源"),
    "col_name": ("NAME", "名称"),
    "col_role": ("FOR", "用途"),
    "col_folder": ("FOLDER", "目录"),
    "col_languages": ("LANGUAGES", "语言"),
    "col_tested_by": ("TESTED BY", "测试方式"),
    "no_tests_of_part": ("-", "-"),
    "role_tests": ("tests", "测试"),
    "role_coverage": ("coverage", "覆盖率"),
    "role_types": ("types", "类型"),
    "role_lint": ("lint", "代码检查"),
    "role_format": ("format", "格式"),
    "role_security": ("security", "安全"),
    "role_commit": ("commit hooks", "提交钩子"),
    "ci_runs": ("CI runs: {command} ({source})", "CI 运行：{command}（{source}）"),
    "documents_tested": (
        "no file is proposed as irrelevant, because documents may be tested ({source})",
        "没有建议任何无关文件，因为文档可能被测试（{source}）",
    ),
    "parts_left_out": (
        "{count} more parts were not looked at (at most {most} are); add their tests by hand",
        "另有 {count} 个组成部分未查看（最多 {most} 个）；请手动添加其测试",
    ),
    "odd_folders": (
        "{count} manifests lie in folders whose names can't be written down, and were left out; rename the folders",
        "{count} 个清单文件所在目录的名称无法记录，已略去；请重命名这些目录",
    ),
    "no_tests": (
        "no test command was found, so nothing would be proven yet: name one in the file, or give `donewhen verify --accept CMD`",
        "没有发现测试命令，因此目前无法证明任何内容：请在文件中写明，或使用 `donewhen verify --accept 命令`",
    ),
    "wrote": ("wrote {path}", "已写入 {path}"),
    "copied": ("wrote {path}, a copy of {source}", "已写入 {path}，内容复制自 {source}"),
    "backup": ("the file before is kept as {path}", "原文件保存为 {path}"),
    "trusted": (
        "this content is trusted from now on; after an edit of the file run `donewhen trust`",
        "从现在起信任此内容；编辑该文件后请运行 `donewhen trust`",
    ),
    "not_trusted": (
        "it only tightens until you run `donewhen trust`: read it first",
        "在您运行 `donewhen trust` 之前，它只能收紧限制：请先阅读",
    ),
    "next": ("next: {command}", "下一步：{command}"),
    "exists": (
        "{path} is there already and stays as it is; edit it, look at `donewhen init --dry-run`, or replace it with --force",
        "{path} 已存在，保持不变；请编辑它、查看 `donewhen init --dry-run`，或用 --force 替换",
    ),
    "exists_other": (
        "{path} configures this project already and is read as it is; run `donewhen config migrate`, or use --force for a file of ours that wins over it",
        "{path} 已配置此项目并会被原样读取；请运行 `donewhen config migrate`，或用 --force 写入优先于它的文件",
    ),
    "link": (
        "{path} is a link or no plain file or folder, and nothing is written through it; remove it and try again",
        "{path} 是链接，或不是普通文件或目录，不会经由它写入；请移除后重试",
    ),
    "unwritable": (
        "{path} can't be written: {why}; check the folder's permissions and the free space",
        "无法写入 {path}：{why}；请检查目录权限和剩余空间",
    ),
    "too_many_backups": (
        "there are too many copies beside {path}; remove old .bak files",
        "{path} 旁的备份过多；请删除旧的 .bak 文件",
    ),
    "nothing_to_copy": (
        "{place} is no configuration and no folder with .donewhen/config.yml or .gsd/config.yml; check the path given to --from",
        "{place} 既不是配置文件，也不是含 .donewhen/config.yml 或 .gsd/config.yml 的目录；请检查 --from 的路径",
    ),
    "copy_extends": (
        "{path} builds on another file (`extends`), which a copy would lose; copy both by hand, or let your own file extend it",
        "{path} 基于另一个文件（`extends`），复制会丢失它；请手动复制两者，或让您自己的文件 extends 它",
    ),
    "file_head": (
        "donewhen: what proves that a change in this project is done. Written by `donewhen init`, yours to edit.",
        "donewhen：用什么证明此项目中的更改已完成。由 `donewhen init` 写入，可自行编辑。",
    ),
    "file_keys": (
        "All keys: `donewhen config schema`. What holds and why: `donewhen config show`. Check: `donewhen config validate`.",
        "所有键：`donewhen config schema`。生效值及来源：`donewhen config show`。检查：`donewhen config validate`。",
    ),
    "file_off": (
        "Settings that begin with # are switched off; take away the # to use them.",
        "以 # 开头的设置未启用；去掉 # 即可使用。",
    ),
    "file_profile": (
        "Kind of change: task_only, create_file, docs, config, edit_code, fix_bug, refactor. Set, it requires its stages.",
        "更改类型：task_only、create_file、docs、config、edit_code、fix_bug、refactor。设置后其各阶段成为必需。",
    ),
    "file_gates": (
        "Commands that must pass, as lists of words, run from the top folder. Names are free.",
        "必须通过的命令，写成单词列表，在顶层目录运行。名称可自选。",
    ),
    "file_may": (
        "Could be required as well; until then they advise, or are not run:",
        "也可以要求；在此之前只提供建议，或不运行：",
    ),
    "file_no_tests": (
        "No test command was found. Name yours as a list of words and take away the #:",
        "没有发现测试命令。请以单词列表写明，并去掉 #：",
    ),
    "file_timeout": ("Seconds that tests and builds may take.", "测试和构建可用的秒数。"),
    "file_irrelevant": (
        "Files that no test reads: an edit there does not run the tests again. Make sure before you switch it on.",
        "没有测试读取的文件：编辑它们不会重新运行测试。启用前请确认。",
    ),
    "file_tested": (
        "Files that no test reads. None is proposed: documents may be tested ({source}).",
        "没有测试读取的文件。未作建议：文档可能被测试（{source}）。",
    ),
    "file_setup": (
        "How a fresh folder is prepared for the tests: auto (from lock files and manifests), off, or a list of commands.",
        "如何为测试准备全新目录：auto（根据锁文件和清单）、off，或命令列表。",
    ),
    "file_sandbox": (
        "Confinement of commands: auto, required, off. Network of the exam: none, full.",
        "命令的隔离：auto、required、off。验收时的网络：none、full。",
    ),
    "file_budget": ("Dollars that a run with a model may spend.", "使用模型的一次运行可花费的美元。"),
}
