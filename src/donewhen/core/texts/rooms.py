"""What the harness says about run workspaces and rooms."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_place": (
        "rooms must lie outside any git repository, but the cache folder {folder} and the temporary folders are inside one; set DONEWHEN_CACHE_DIR to a folder outside",
        "房间必须位于任何 git 仓库之外，但缓存文件夹 {folder} 和临时文件夹都在某个仓库内；请把 DONEWHEN_CACHE_DIR 设为仓库外的文件夹",
    ),
    "base_inside": (
        "tools.git.worktree_base is {folder}, which lies in the repository {repository}; choose a folder outside any repository",
        "tools.git.worktree_base 为 {folder}，位于仓库 {repository} 内；请选择任何仓库之外的文件夹",
    ),
    "not_ours": (
        "{folder} is a link, no folder, or belongs to another user; remove it or set DONEWHEN_CACHE_DIR to another folder",
        "{folder} 是链接、不是文件夹或属于其他用户；请将其删除，或把 DONEWHEN_CACHE_DIR 设为其他文件夹",
    ),
    "no_folder": (
        "{folder} can't be made or used: {cause}; free it, or set DONEWHEN_CACHE_DIR to another folder",
        "无法创建或使用 {folder}：{cause}；请处理该问题，或把 DONEWHEN_CACHE_DIR 设为其他文件夹",
    ),
    "held": (
        "{folder} is in use by process {pid} (since {since}); wait until it ends, or end it",
        "{folder} 正被进程 {pid} 使用（自 {since} 起）；请等待其结束，或将其终止",
    ),
    "cache_held": (
        "{folder} is in use by another process; run `donewhen gc` again when it has ended",
        "{folder} 正被另一个进程使用；请在其结束后再次执行 `donewhen gc`",
    ),
    "cache_of_runs": (
        "{folder} holds the workspace of a run, which may hold work; remove that first",
        "{folder} 包含某次运行的工作区，其中可能有工作成果；请先将该工作区移除",
    ),
    "just_removed": (
        "{folder} was removed by `donewhen gc` just now; run the command again",
        "{folder} 刚刚被 `donewhen gc` 删除；请重新执行该命令",
    ),
    "not_removed": (
        "{folder} can't be removed: {cause}; remove it by hand",
        "无法删除 {folder}：{cause}；请手动删除",
    ),
    "bad_run": ("`{run}` is no name of a run", "`{run}` 不是运行的名称"),
    "bad_room": ("`{name}` is no name of a room", "`{name}` 不是房间的名称"),
    "bad_branch": ("`{branch}` is no name of a branch", "`{branch}` 不是分支的名称"),
    "no_commits": (
        "the repository {folder} has no commit yet, and a run starts from one; make a first commit",
        "仓库 {folder} 尚无提交，而运行需要以提交为起点；请先创建一个提交",
    ),
    "no_commit": (
        "there is no commit {commit} in {folder}; name one that exists",
        "{folder} 中没有提交 {commit}；请指定一个存在的提交",
    ),
    "other_base": (
        "the workspace {folder} of run {run} started from {base}, not from the commit that is asked for; resume it with that base, or start a new run",
        "运行 {run} 的工作区 {folder} 以 {base} 为起点，而非所要求的提交；请以该起点恢复，或开始新的运行",
    ),
    "branch_taken": (
        "the branch {branch} in {folder} exists and holds other work; rename or remove it",
        "{folder} 中的分支 {branch} 已存在且包含其他工作；请将其重命名或删除",
    ),
    "nested_absent": (
        "the repository inside at {path} is empty here: its commit is not in your working tree; run `git submodule update --init` there",
        "位于 {path} 的内部仓库在此为空：您的工作树中没有它的提交；请在那里运行 `git submodule update --init`",
    ),
    "without_filters": (
        "a filter of your git configuration (such as LFS) failed in {folder}; its files are there as git stores them",
        "您 git 配置中的过滤器（如 LFS）在 {folder} 中失败；其文件按 git 存储的形式存在",
    ),
    "no_checkpoint": ("there is no checkpoint {name} of this workspace", "该工作区没有检查点 {name}"),
    "altered": (
        "the git directory of {folder} is not the one that was made for it; look at it by hand",
        "{folder} 的 git 目录不是为其创建的那个；请手动检查",
    ),
    "unclear": (
        "it is not clear whether {folder} holds work: {why}",
        "无法判断 {folder} 是否包含工作成果：{why}",
    ),
    "busy": ("a {operation} is not finished in {folder}", "{folder} 中有未完成的 {operation}"),
    "has_worktrees": ("{folder} has working trees of its own elsewhere", "{folder} 在别处有自己的工作树"),
    "unreachable": (
        "{name} holds commits that no reference of your repository reaches; fetch them, or delete it",
        "{name} 包含您仓库中任何引用都无法到达的提交；请获取它们，或将其删除",
    ),
    "uncommitted": (
        "{number} changed paths are not committed, {path} for one; commit or discard them",
        "有 {number} 个已更改的路径尚未提交，例如 {path}；请提交或丢弃它们",
    ),
    "nested_work": (
        "the repository inside at {path} is not in your working tree; move it, or remove it",
        "位于 {path} 的内部仓库不在您的工作树中；请移动或删除它",
    ),
    "checked_out": (
        "the branch {branch} is checked out in {folder} and is not moved under you; name another branch",
        "分支 {branch} 已在 {folder} 中检出，不会在您使用时移动；请指定其他分支",
    ),
    "not_forward": (
        "the branch {branch} holds commits that the result in {folder} does not build on; name another branch, or merge by hand",
        "分支 {branch} 包含 {folder} 中的结果未基于的提交；请指定其他分支，或手动合并",
    ),
}
