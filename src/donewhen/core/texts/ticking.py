"""What is said about the tasks of an OpenSpec change and about archiving it."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_ticked": (
        "the boxes in {place} were not ticked, because {why}",
        "{place} 中的方框未勾选，因为{why}",
    ),
    "out_of_scope": (
        "it lies outside of the promise's scope; tick them yourself or add it to allowed_scope",
        "它在承诺的范围之外；请自行勾选或将其加入 allowed_scope",
    ),
    "undone": (
        "accepted without todos of your spec, which are not ticked: {todos}",
        "验收时规格中有未完成的待办，未勾选：{todos}",
    ),
    "archive_proposed": (
        "the change {change} is done; archive it when it is merged: `{command}` writes {files} and moves the change to {target}",
        "变更 {change} 已完成；合并后可归档：`{command}` 会写入 {files}，并将变更移到 {target}",
    ),
    "archive_open": (
        "the change {change} is accepted with open tasks ({open}); once they are done, `{command}` writes {files} and moves the change to {target}",
        "变更 {change} 已验收，但仍有未完成的任务（{open} 个）；完成后 `{command}` 会写入 {files}，并将变更移到 {target}",
    ),
    "archive_refused": (
        "the change {change} is accepted, but could not be archived as it is: {why}",
        "变更 {change} 已验收，但目前无法归档：{why}",
    ),
}
