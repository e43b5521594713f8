"""What is said about OpenSpec changes and specs."""

TEXTS: dict[str, tuple[str, str]] = {
    "and_more": (
        " (and {count} more: `donewhen plan` lists all of them)",
        "（另有 {count} 个问题：`donewhen plan` 会全部列出）",
    ),
    # finding and reading
    "no_change": ("there is no OpenSpec change {place}; {hint}", "没有 OpenSpec 变更 {place}；{hint}"),
    "known": ("give the folder or the id of one: {known}", "请给出其中一个的文件夹或编号：{known}"),
    "none_known": (
        "give a folder such as openspec/changes/add-login",
        "请给出文件夹，例如 openspec/changes/add-login",
    ),
    "no_changes": (
        "{place} holds no open change; create one under openspec/changes/ first",
        "{place} 中没有未归档的变更；请先在 openspec/changes/ 下创建一个",
    ),
    "which_change": (
        "{place} holds several changes; give one of them: {known}",
        "{place} 中有多个变更；请给出其中一个：{known}",
    ),
    "archived": (
        "{place} is archived, so its work is done; give a change that lies directly under openspec/changes/",
        "{place} 已归档，其工作已完成；请给出直接位于 openspec/changes/ 下的变更",
    ),
    "link": (
        "{place} is a symbolic link, and links to folders are not followed; give the real folder",
        "{place} 是符号链接，不会跟随指向文件夹的链接；请给出真实的文件夹",
    ),
    "leaves": (
        "{place} is a link that leads out of its folder; put the file itself there",
        "{place} 是指向其文件夹之外的链接；请把文件本身放在那里",
    ),
    "unreadable": (
        "{place} can't be listed ({cause}); check its permissions",
        "无法列出 {place}（{cause}）；请检查其权限",
    ),
    "too_large": (
        "{place} is larger than {limit} KiB; split it into several capabilities",
        "{place} 超过 {limit} KiB；请拆分为多个能力",
    ),
    "too_much": (
        "{place} takes the change past {limit} KiB in all; split the change",
        "读到 {place} 时该变更总计超过 {limit} KiB；请拆分该变更",
    ),
    "too_many": (
        "{place} holds more than {limit} entries; split the change",
        "{place} 含有超过 {limit} 个条目；请拆分该变更",
    ),
    "too_deep": (
        "{place} is nested more than {limit} folders deep; flatten it",
        "{place} 的文件夹嵌套超过 {limit} 层；请减少嵌套",
    ),
    "no_task": (
        "{place} has no task {task}; give the id of one that is listed there",
        "{place} 中没有任务 {task}；请给出其中列出的任务编号",
    ),
    # the change as a whole
    "change_id": (
        "{place}: the folder's name is no change id; use lower-case words and digits joined by single hyphens",
        "{place}：文件夹名不是合规的变更编号；请使用小写单词和数字，以单个连字符相连",
    ),
    "no_deltas": (
        "{place} says nothing about any spec; add specs/<capability>/spec.md with `## ADDED Requirements`, "
        "or set `skip_specs: true` in .openspec.yaml",
        "{place} 没有涉及任何规格；请添加含 `## ADDED Requirements` 的 specs/<能力>/spec.md，"
        "或在 .openspec.yaml 中设置 `skip_specs: true`",
    ),
    "root_spec": (
        "{place} belongs to no capability, so no merge reads it; move it to specs/<capability>/spec.md",
        "{place} 不属于任何能力，合并时不会读取；请移到 specs/<能力>/spec.md",
    ),
    "unread_delta": (
        "{place} holds delta sections but no merge reads it; move them into specs/<capability>/spec.md",
        "{place} 含有增量章节，但合并时不会读取；请把它们移到 specs/<能力>/spec.md",
    ),
    "linked_folder": (
        "{place} is a link to a folder and is not followed; put the folder itself there if it belongs to the change",
        "{place} 是指向文件夹的链接，不会被跟随；若它属于该变更，请把文件夹本身放在那里",
    ),
    "skip_conflict": (
        "{place} holds files although `skip_specs` is set; delete them or remove the marker from .openspec.yaml",
        "{place} 含有文件，但已设置 `skip_specs`；请删除这些文件或从 .openspec.yaml 中移除该标记",
    ),
    "skip_accepted": (
        "{place}: `skip_specs` is set, so the change needs no delta; remove it if behaviour changes",
        "{place}：已设置 `skip_specs`，该变更不需要增量；若行为有变请移除它",
    ),
    "skip_unreadable": (
        "{place}: `skip_specs` does not count because {cause}; correct the file",
        "{place}：`skip_specs` 无效，因为{cause}；请修正该文件",
    ),
    "meta_unused": (
        "{place}: the markers of this file don't count because {cause}; correct or remove it",
        "{place}：该文件的标记无效，因为{cause}；请修正或删除它",
    ),
    "config_unused": (
        "{place} is not used because {cause}; correct it",
        "{place} 未被使用，因为{cause}；请修正它",
    ),
    "config_field": (
        "{place}: the field `{name}` has the wrong form and is left out; correct it",
        "{place}：字段 `{name}` 的形式有误，已忽略；请修正它",
    ),
    "meta_yaml": ("it is not valid YAML", "它不是有效的 YAML"),
    "meta_mapping": ("it holds no `name: value` lines", "它不含 `名称: 值` 形式的行"),
    "meta_no_schema": ("it has no `schema:` line", "它缺少 `schema:` 一行"),
    "meta_schema": (
        "its schema `{name}` is neither spec-driven nor one of openspec/schemas/",
        "其 schema `{name}` 既不是 spec-driven，也不在 openspec/schemas/ 中",
    ),
    "meta_field": ("its field `{name}` has the wrong form", "其字段 `{name}` 的形式有误"),
    # a delta by itself
    "no_delta_section": (
        "{place}: the file has no delta section; write `## ADDED Requirements` (or MODIFIED, REMOVED, RENAMED) above "
        "its requirements, outside code fences",
        "{place}：文件没有增量章节；请在需求之上、代码块之外写 `## ADDED Requirements`"
        "（或 MODIFIED、REMOVED、RENAMED）",
    ),
    "empty_section": (
        "{place}: the section {operation} has no entry; write `### Requirement: name` in it, for RENAMED "
        "``- FROM: `### Requirement: old` `` and TO lines",
        "{place}：章节 {operation} 没有条目；请在其中写 `### Requirement: 名称`，"
        "RENAMED 则写 ``- FROM: `### Requirement: 旧名` `` 和 TO 行",
    ),
    "section_without_entry": (
        "{place}: nothing in the section {operation} is read as an entry; write `### Requirement: name` or remove the section",
        "{place}：章节 {operation} 中没有可读取的条目；请写 `### Requirement: 名称` 或删除该章节",
    ),
    "near_section": (
        "{place}: `{heading}` opens no delta section; write exactly `## {operation} Requirements`",
        "{place}：`{heading}` 不会开始增量章节；请准确写成 `## {operation} Requirements`",
    ),
    "hidden": (
        "{place}: `{heading}` stands inside an HTML comment, where it counts but nobody sees it; "
        "take it out of the comment or delete it",
        "{place}：`{heading}` 位于 HTML 注释中，会被计入却无人看见；请移出注释或删除它",
    ),
    "outside_sections": (
        "{place}: requirement “{name}” stands in no delta section and is ignored; move it under `## ADDED Requirements` or its kin",
        "{place}：需求“{name}”不在任何增量章节中，会被忽略；请移到 `## ADDED Requirements` 等章节下",
    ),
    "ignored_heading": (
        "{place}: `### {heading}` in {section} is no requirement and is ignored; write `### Requirement: name` if it is one",
        "{place}：{section} 中的 `### {heading}` 不是需求，会被忽略；若是需求请写 `### Requirement: 名称`",
    ),
    "delta_heading_space": (
        "{place}: the heading of “{name}” has no space after its hashes; write `### Requirement:`, as main specs need it",
        "{place}：“{name}”的标题在井号后缺少空格；请写成 `### Requirement:`，主规格要求如此",
    ),
    "half_rename": (
        "{place}: {side} “{name}” has no {other}; write each FROM line directly above its TO line",
        "{place}：{side}“{name}”没有对应的 {other}；请把每个 FROM 行写在其 TO 行的正上方",
    ),
    "duplicate": (
        "{place}: requirement “{name}” is already on line {first}; give each its own name or keep one",
        "{place}：需求“{name}”已出现在第 {first} 行；请各取不同名称或只保留一个",
    ),
    "two_sections": (
        "{place}: requirement “{name}” is in {here} and on line {first} in {there}; keep it in one of them",
        "{place}：需求“{name}”在 {here} 中，又在第 {first} 行的 {there} 中；请只保留一处",
    ),
    "duplicate_side": (
        "{place}: {side} “{name}” is already on line {first}; rename each requirement once",
        "{place}：{side}“{name}”已出现在第 {first} 行；每个需求只能重命名一次",
    ),
    "modified_old_name": (
        "{place}: MODIFIED names “{old}”, which this change renames; use the new name “{new}”",
        "{place}：MODIFIED 使用了“{old}”，而本变更已将其重命名；请使用新名称“{new}”",
    ),
    "added_rename_target": (
        "{place}: “{name}” is a rename's new name and an ADDED requirement; give one of them another name",
        "{place}：“{name}”既是重命名的新名称，又是 ADDED 的需求；请为其中一个另取名称",
    ),
    "removed_and_renamed": (
        "{place}: “{name}” is removed and renamed at once; decide for one",
        "{place}：“{name}”同时被移除和重命名；请二选一",
    ),
    # a requirement
    "no_statement": (
        "{place}: requirement “{name}” has no statement; write what SHALL hold on the line below its heading",
        "{place}：需求“{name}”没有陈述；请在标题下一行写明必须（SHALL）成立的内容",
    ),
    "keyword_in_heading": (
        "{place}: requirement “{name}” says SHALL or MUST only in its heading; write the statement on the line below",
        "{place}：需求“{name}”只在标题中写了 SHALL 或 MUST；请把陈述写在下一行",
    ),
    "no_keyword": (
        "{place}: the statement of “{name}” has neither SHALL nor MUST in capitals; say what is binding",
        "{place}：“{name}”的陈述中没有大写的 SHALL 或 MUST；请写明约束性内容",
    ),
    "no_scenario": (
        "{place}: requirement “{name}” has no scenario; add `#### Scenario: name` with steps below it",
        "{place}：需求“{name}”没有场景；请添加 `#### Scenario: 名称` 并在其下写步骤",
    ),
    "empty_scenario": (
        "{place}: scenario “{scenario}”, the only kind that “{name}” has, is empty; write its steps below the heading",
        "{place}：“{name}”仅有的场景“{scenario}”为空；请在标题下写出步骤",
    ),
    "bare_scenario": (
        "{place}: scenario “{name}” has no steps; write them below its heading",
        "{place}：场景“{name}”没有步骤；请在其标题下写出",
    ),
    "scenario_form": (
        "{place}: `{written}` is no scenario, so “{name}” has none; write `#### Scenario: name`, "
        "with four hashes and a space",
        "{place}：`{written}` 不是场景，因此“{name}”没有场景；请写成 `#### Scenario: 名称`，即四个井号加空格",
    ),
    "long_statement": (
        "{place}: the statement of “{name}” is longer than {most} characters; consider splitting it",
        "{place}：“{name}”的陈述超过 {most} 个字符；可考虑拆分",
    ),
    # a main spec
    "no_section": (
        "{place}: the spec has no {title} section; add `## {title}`",
        "{place}：规格没有 {title} 章节；请添加 `## {title}`",
    ),
    "section_level": (
        "{place}: `{heading}` stands at the wrong level, so no merge sees what is in it; write `## {title}`",
        "{place}：`{heading}` 的标题级别不对，合并时看不到其中内容；请写成 `## {title}`",
    ),
    "section_form": (
        "{place}: `{heading}` is not read as the {title} section; write exactly `## {title}`",
        "{place}：`{heading}` 不会被读作 {title} 章节；请准确写成 `## {title}`",
    ),
    "empty_purpose": (
        "{place}: the Purpose section is empty; say what the capability is for",
        "{place}：Purpose 章节为空；请说明该能力的用途",
    ),
    "purpose_placeholder": (
        "{place}: the Purpose is still a placeholder; say what the capability is for",
        "{place}：Purpose 仍是占位文字；请说明该能力的用途",
    ),
    "purpose_short": (
        "{place}: the Purpose has {count} characters, fewer than {least}; say more of what the capability is for",
        "{place}：Purpose 只有 {count} 个字符，少于 {least}；请更充分地说明该能力的用途",
    ),
    "no_requirements": (
        "{place}: the Requirements section holds no requirement; add `### Requirement: name`",
        "{place}：Requirements 章节没有需求；请添加 `### Requirement: 名称`",
    ),
    "delta_in_main": (
        "{place}: `{heading}` belongs into a change, not into a main spec; remove it or write `## Requirements`",
        "{place}：`{heading}` 应写在变更中，而非主规格；请删除它或写成 `## Requirements`",
    ),
    "outside_requirements": (
        "{place}: requirement “{name}” stands outside the Requirements section; move it under `## Requirements`",
        "{place}：需求“{name}”在 Requirements 章节之外；请移到 `## Requirements` 下",
    ),
    "requirement_level": (
        "{place}: `{heading}` stands at the wrong level, so no merge sees it; write `### Requirement:`",
        "{place}：`{heading}` 的标题级别不对，合并时看不到它；请写成 `### Requirement:`",
    ),
    "heading_space": (
        "{place}: `{heading}` is no heading because the space after its hashes is missing; write `### Requirement:`",
        "{place}：`{heading}` 的井号后缺少空格，因此不是标题；请写成 `### Requirement:`",
    ),
    "hidden_in_main": (
        "{place}: `{heading}` stands inside an HTML comment, where it counts but nobody sees it; take it out or delete it",
        "{place}：`{heading}` 位于 HTML 注释中，会被计入却无人看见；请移出或删除它",
    ),
    "divider": (
        "{place}: `{heading}` counts as a requirement and has no scenario; label it `### Requirement:` or make it no heading",
        "{place}：`{heading}` 会被当作需求且没有场景；请标为 `### Requirement:`，或不要写成标题",
    ),
    "no_label": (
        "{place}: `{heading}` counts as a requirement, but no delta can change it; label it `### Requirement:`",
        "{place}：`{heading}` 会被当作需求，但增量无法修改它；请标为 `### Requirement:`",
    ),
    "loose_scenario": (
        "{place}: `{heading}` belongs to no requirement; write `### Requirement: name` above it",
        "{place}：`{heading}` 不属于任何需求；请在其上写 `### Requirement: 名称`",
    ),
    # against the main specs
    "added_exists": (
        "{place}: ADDED “{name}” already is in {main} with other content; use MODIFIED or another name",
        "{place}：ADDED 的“{name}”已在 {main} 中且内容不同；请用 MODIFIED 或另取名称",
    ),
    "added_near": (
        "{place}: ADDED “{name}” differs from “{near}” in {main} only in case or spacing; use MODIFIED with that name",
        "{place}：ADDED 的“{name}”与 {main} 中的“{near}”仅大小写或空格不同；请以该名称使用 MODIFIED",
    ),
    "modified_missing": (
        "{place}: MODIFIED “{name}” is not in {main}; use ADDED or the name that stands there",
        "{place}：MODIFIED 的“{name}”不在 {main} 中；请用 ADDED 或那里已有的名称",
    ),
    "modified_near": (
        "{place}: MODIFIED “{name}” is not in {main}, but “{near}” is; write the name exactly so",
        "{place}：MODIFIED 的“{name}”不在 {main} 中，但有“{near}”；请完全按其写法",
    ),
    "modified_new": (
        "{place}: MODIFIED “{name}” needs a main spec and there is no {main}; use ADDED or correct the folder's name",
        "{place}：MODIFIED 的“{name}”需要主规格，而 {main} 不存在；请用 ADDED 或更正文件夹名",
    ),
    "renamed_new": (
        "{place}: RENAMED “{name}” needs a main spec and there is no {main}; use ADDED or correct the folder's name",
        "{place}：RENAMED 的“{name}”需要主规格，而 {main} 不存在；请用 ADDED 或更正文件夹名",
    ),
    "renamed_missing": (
        "{place}: RENAMED “{name}” is not in {main}; use the name that stands there",
        "{place}：RENAMED 的“{name}”不在 {main} 中；请用那里已有的名称",
    ),
    "renamed_near": (
        "{place}: RENAMED “{name}” is not in {main}, but “{near}” is; write the name exactly so",
        "{place}：RENAMED 的“{name}”不在 {main} 中，但有“{near}”；请完全按其写法",
    ),
    "rename_taken": (
        "{place}: the new name “{name}” is taken by “{near}” in {main}; choose another",
        "{place}：新名称“{name}”已被 {main} 中的“{near}”占用；请另选名称",
    ),
    "removed_near": (
        "{place}: REMOVED “{name}” is not in {main}, but “{near}” is; write the name exactly so",
        "{place}：REMOVED 的“{name}”不在 {main} 中，但有“{near}”；请完全按其写法",
    ),
    "removed_absent": (
        "{place}: REMOVED “{name}” is not in {main} and counts as gone already; check the name",
        "{place}：REMOVED 的“{name}”不在 {main} 中，视为已移除；请检查名称",
    ),
    "drops_scenario": (
        "{place}: MODIFIED “{name}” would drop {scenarios} of {main}; copy what shall stay into the block",
        "{place}：MODIFIED 的“{name}”会丢掉 {main} 中的{scenarios}；请把应保留的内容复制到该块中",
    ),
    "empties": (
        "{place}: the change leaves {main} without any requirement; keep one, or set `retire_capabilities: true` "
        "in .openspec.yaml",
        "{place}：该变更会使 {main} 没有任何需求；请保留一个，或在 .openspec.yaml 中设置 `retire_capabilities: true`",
    ),
    "retire_leftover": (
        "{place}: `{text}` would be deleted with the spec although no requirement speaks of it; move it elsewhere first",
        "{place}：`{text}` 会随规格一起删除，而没有需求提到它；请先移到别处",
    ),
    "merge_lost": (
        "{place}: merged into {capability}, requirements would disappear; close every code fence in both files",
        "{place}：合并到 {capability} 后会有需求消失；请在两个文件中闭合所有代码块",
    ),
    "merged_invalid": (
        "{place}: the merged spec would not be valid and could not be archived: {cause}",
        "{place}：合并后的规格将无效，无法归档：{cause}",
    ),
    "purpose_unused": (
        "{place}: the Purpose can't be carried over, because it holds a comment, a heading or an open fence; write plain text",
        "{place}：Purpose 无法沿用，因为其中含有注释、标题或未闭合的代码块；请写纯文本",
    ),
    # tasks and proposal
    "no_boxes": (
        "{place}: the list counts as no task; write each as `- [ ] 1.1 text`",
        "{place}：该列表不计为任务；请把每项写成 `- [ ] 1.1 内容`",
    ),
    "wrong_group": (
        "{place}: task {task} stands in group {group}; move or renumber it",
        "{place}：任务 {task} 位于第 {group} 组；请移动它或重新编号",
    ),
    "duplicate_task": (
        "{place}: task id {task} is already on line {first}; renumber one of them",
        "{place}：任务编号 {task} 已出现在第 {first} 行；请为其中一个重新编号",
    ),
    "why_length": (
        "{place}: the Why section has {count} characters; between {least} and {most} are asked for",
        "{place}：Why 章节有 {count} 个字符；要求在 {least} 到 {most} 之间",
    ),
    "many_deltas": (
        "{place} changes {count} requirements, more than {most}; consider splitting it",
        "{place} 改动了 {count} 个需求，超过 {most} 个；可考虑拆分",
    ),
}
