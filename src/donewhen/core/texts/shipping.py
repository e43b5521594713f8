"""What the harness says about where a run works and how its result is shipped."""

TEXTS: dict[str, tuple[str, str]] = {
    "busy": (
        "a {operation} is not finished in {folder}, and a run in place would mix with it; finish or abort it, or run without --in-place",
        "{folder} 中有未完成的 {operation}，就地运行会与之混淆；请先完成或中止它，或不使用 --in-place 运行",
    ),
    "dirty_in_place": (
        "{number} paths in {folder} are changed and not committed; commit or stash them, or add --with-changes to start from them",
        "{folder} 中有 {number} 个路径已更改但尚未提交；请提交或储藏它们，或加上 --with-changes 以其为起点",
    ),
    "left_out": (
        "the run starts from HEAD: {number} changed paths of your working tree are not included ({names}); --with-changes includes them",
        "运行从 HEAD 开始：您工作树中 {number} 个已更改的路径不包含在内（{names}）；--with-changes 可将其包含",
    ),
    "unlooked": (
        "the run starts from HEAD; what in your working tree is not included is not known: {why}",
        "运行从 HEAD 开始；无法判断您的工作树中有哪些内容不包含在内：{why}",
    ),
    "snapshot_secret": (
        "the changes that the run starts from hold what looks like a secret ({names}), and the result will have it in its history; ignore these files in .gitignore if that is not wanted",
        "运行起点的更改中含有疑似密钥的内容（{names}），结果的历史中也会包含它；若不希望如此，请在 .gitignore 中忽略这些文件",
    ),
    "protected": (
        "the branch {branch} is protected, and results don't go there; name another branch, or change guardrails.protected_branches",
        "分支 {branch} 受保护，结果不会写入该分支；请指定其他分支，或修改 guardrails.protected_branches",
    ),
    "name_taken": (
        "there can be no branch {branch} in {folder} beside the branch {other}; name another branch, or rename that one",
        "{folder} 中已有分支 {other}，因此不能有分支 {branch}；请指定其他分支，或重命名那个分支",
    ),
    "base_gone": (
        "the commit {base} that run {run} started from is no longer in {folder}; the ledger of the run is kept; start a new run",
        "运行 {run} 的起点提交 {base} 已不在 {folder} 中；该运行的账本仍保留；请开始新的运行",
    ),
    "gone": (
        "the workspace {folder} of run {run} is gone; the ledger of the run is kept, and in your repository {kept}; bring the folder back, or end the run with `donewhen abort {run}`",
        "运行 {run} 的工作区 {folder} 已不存在；该运行的账本仍保留，您的仓库中有：{kept}；请恢复该文件夹，或用 `donewhen abort {run}` 结束该运行",
    ),
    "altered": (
        "the workspace {folder} of run {run} is not as it was made; the ledger of the run is kept, and in your repository {kept}; look at the folder by hand, or start a new run",
        "运行 {run} 的工作区 {folder} 已不是创建时的样子；该运行的账本仍保留，您的仓库中有：{kept}；请手动检查该文件夹，或开始新的运行",
    ),
    "kept_refs": ("{names}", "{names}"),
    "kept_none": ("nothing of it", "无"),
    "moved_on": (
        "the workspace is no longer what was accepted: {number} paths differ ({names}); it has to be verified again",
        "工作区已不是被接受时的内容：{number} 个路径不同（{names}）；必须重新验证",
    ),
    "secret": (
        "the change holds what looks like a secret ({names}); take it out",
        "更改中含有疑似密钥的内容（{names}）；请将其移除",
    ),
    "nested_only_here": (
        "the repository inside at {path} is at a commit that your working tree does not have, so the result could not be checked out; put it back to the commit it had",
        "位于 {path} 的内部仓库处于您工作树中没有的提交，因此结果无法检出；请将其恢复到原来的提交",
    ),
    "other_tree": (
        "the commit {commit} of run {run} does not have the accepted tree {tree}; the branch was not moved",
        "运行 {run} 的提交 {commit} 的文件树不是被接受的 {tree}；分支未移动",
    ),
    "not_accepted": (
        "the ledger of run {run} does not say that the tree {tree} was accepted, so no record is written",
        "运行 {run} 的账本没有说明文件树 {tree} 已被接受，因此不写入记录",
    ),
    "no_way": ("there was no way to commit the result of run {run}", "无法提交运行 {run} 的结果"),
    "not_moved": (
        "the branch {branch} was not moved: {why}; the accepted commit is kept as {kept}, `git branch NAME {kept}` gives it a name",
        "分支 {branch} 未移动：{why}；被接受的提交保存在 {kept}，`git branch NAME {kept}` 可为其命名",
    ),
    "in_place": (
        "the run worked in your own working tree, which stays as it is",
        "运行在您自己的工作树中进行，工作树保持原样",
    ),
    "unaccepted": (
        "{folder} holds work that was not accepted; look at it, resume the run, or remove it",
        "{folder} 中有未被接受的工作成果；请查看、恢复运行或将其删除",
    ),
}
