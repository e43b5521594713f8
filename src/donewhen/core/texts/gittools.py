"""What the git tools say to the agent."""

TEXTS: dict[str, tuple[str, str]] = {
    "about_git_status": (
        "which files of the workspace differ from the last commit, in git's short form, and which branch it is on;"
        " `??` are new files that git does not know yet",
        "工作区中哪些文件与上一次提交不同（git 的简短格式），以及当前所在分支；`??` 表示 git 尚不认识的新文件",
    ),
    "about_git_diff": (
        "the lines that differ: files against what is staged; with `staged`, what is staged against HEAD; with `ref`,"
        " against a commit or of a range (`a..b`). New files that git does not know yet are in no diff: see git_status",
        "有差异的行：默认比较文件与暂存内容；加 `staged` 则比较暂存内容与 HEAD；加 `ref` 则与某次提交比较，或比较一个范围"
        "（`a..b`）。git 尚不认识的新文件不会出现在差异中：请用 git_status 查看",
    ),
    "about_git_log": (
        "commits, newest first, one per line: id, date, author, subject; of `ref` (a commit or a range), of one"
        " `path`, at most `limit`",
        "提交列表，最新的在前，每行一条：编号、日期、作者、标题；可限定 `ref`（提交或范围）、`path`，最多 `limit` 条",
    ),
    "about_git_show": (
        "one commit with its message and its changes; `COMMIT:PATH` as `ref` shows a file as it was then",
        "显示一次提交的说明与改动；`ref` 写作 `COMMIT:PATH` 时显示该文件当时的内容",
    ),
    "about_git_commit": (
        "commit all changes of the workspace, or only `paths`, with `message`. Committing is optional: an accepted"
        " result is committed by the harness. Hooks of the repository are not run",
        "以 `message` 提交工作区的全部改动，或仅提交 `paths`。提交是可选的：被接受的结果由系统提交。不会运行仓库的钩子",
    ),
    "about_git_push": (
        "not possible in a run: an accepted result is put on the run's branch by the harness; call `complete` when"
        " the work is done",
        "运行中无法推送：被接受的结果由系统放到本次运行的分支上；完成工作后请调用 `complete`",
    ),
    "about_git_worktree_create": (
        "a second working tree that shows the commit `ref`, in a temporary folder of the workspace, for example"
        " `.scratch/before`; nothing in it is part of the result",
        "在工作区的临时文件夹中（例如 `.scratch/before`）创建显示提交 `ref` 的第二个工作树；其中的内容不属于结果",
    ),
    "bad_ref": (
        "{ref} is no name of a commit that can be used here; give an id, a branch, a tag, HEAD~1 or a range like"
        " HEAD~2..HEAD, without spaces and without a leading dash; a file of a commit is shown by git_show",
        "{ref} 不是这里可用的提交名称；请给出编号、分支、标签、HEAD~1 或 HEAD~2..HEAD 这样的范围，不含空格且不以短横线开头；"
        "查看某次提交中的文件请用 git_show",
    ),
    "unknown_ref": (
        "there is no {ref} in the workspace's repository; git_log lists commits",
        "工作区的仓库中没有 {ref}；git_log 可列出提交",
    ),
    "no_commits": (
        "the branch of the workspace has no commit yet; make one with git_commit first",
        "工作区的分支还没有任何提交；请先用 git_commit 提交",
    ),
    "unknown_path": (
        "git knows no file of that name and there is none in the workspace, so nothing was committed: {why}; look"
        " with git_status",
        "git 不认识该名称的文件，工作区中也没有，因此未提交任何内容：{why}；请用 git_status 查看",
    ),
    "ignored": (
        "{names}: among them are files that a .gitignore leaves out, so nothing was committed; leave them out of"
        " `paths`, or change the .gitignore",
        "{names}：其中有被 .gitignore 排除的文件，因此未提交任何内容；请从 `paths` 中去掉它们，或修改 .gitignore",
    ),
    "partial": (
        "a merge is not finished, so only all of it can be committed; leave out `paths`",
        "合并尚未完成，只能整体提交；请省略 `paths`",
    ),
    "conflict": (
        "files are in conflict, so nothing was committed: {names}; edit them, mark each as resolved with"
        " `git add FILE` by run_command, then commit again",
        "存在冲突的文件，因此未提交任何内容：{names}；请编辑它们，用 run_command 执行 `git add FILE` 标记为已解决，再重新提交",
    ),
    "nothing": (
        "there is nothing to commit: the files are as in the last commit, or ignored; git_status shows what differs",
        "没有可提交的内容：文件与上次提交相同，或被忽略；git_status 可显示差异",
    ),
    "empty_message": (
        "a commit needs a message; say in one line what was changed and why",
        "提交需要说明；请用一行写明改了什么以及原因",
    ),
    "locked": (
        "another git command is at work in the repository, or one that was killed left its lock: {why}; wait for"
        " what runs in the background (command_status), then try again",
        "仓库中有另一个 git 命令正在运行，或被终止的命令留下了锁：{why}；请等待后台命令结束（command_status）后重试",
    ),
    "read_only": (
        "the repository can't be used so from here ({why}); it is not needed either: the harness commits the accepted"
        " result, so go on with the work and call `complete` at its end",
        "此处无法这样使用仓库（{why}）；无需提交：系统会提交被接受的结果，请继续工作并在结束时调用 `complete`",
    ),
    "exists": (
        "{path} is there already; choose a name that is free",
        "{path} 已存在；请换一个未被占用的名称",
    ),
    "no_room": (
        "no space is left for git to write to the workspace's repository ({why}); free some and resume the run",
        "没有空间供 git 写入工作区的仓库（{why}）；请释放空间后恢复运行",
    ),
    "failed": ("git ended with exit code {code}: {why}", "git 以退出码 {code} 结束：{why}"),
    "not_ended": (
        "git did not come to its end: {why}; try again, or look with git_status at what was done",
        "git 未能正常结束：{why}；请重试，或用 git_status 查看已完成的部分",
    ),
    "ended": ("it was ended from outside", "它被外部终止"),
    "secret": (
        "{path} is a credential by its name, so its content is not shown; work without it",
        "{path} 按名称属于凭据，不显示其内容；请在不使用它的情况下工作",
    ),
    "hidden": (
        "[{count} files left out, because they are credentials by their names: {names}]",
        "[有 {count} 个文件因名称属于凭据而未显示：{names}]",
    ),
    "too_many_hidden": (
        "the change holds {count} files that are credentials by their names; name a `path` without them",
        "该改动包含 {count} 个按名称属于凭据的文件；请用 `path` 指定不含它们的位置",
    ),
    "clean": ("[nothing differs from the last commit]", "[与上次提交没有差异]"),
    "no_difference": (
        "[no difference; new files that git does not know yet are shown by git_status]",
        "[没有差异；git 尚不认识的新文件由 git_status 显示]",
    ),
    "no_difference_staged": (
        "[nothing is staged; without `staged` the files themselves are compared]",
        "[没有暂存内容；不加 `staged` 则比较文件本身]",
    ),
    "no_history": ("[no commit touches that]", "[没有涉及它的提交]"),
    "empty_file": ("[the file is empty]", "[文件为空]"),
    "committed": (
        "commit {commit}; it is in the workspace only, and an accepted result is shipped by the harness",
        "提交 {commit}；它只在工作区中，被接受的结果由系统发布",
    ),
    "no_push": (
        "nothing is pushed from a run, so {remote} was not contacted: the workspace has no remote to push to. When"
        " the work is done call `complete`; the harness proves it and puts the accepted result on the run's branch of"
        " the user's repository, where people decide what is published",
        "运行中不会推送任何内容，因此未联系 {remote}：工作区没有可推送的远程仓库。完成工作后请调用 `complete`；"
        "系统会验证并把被接受的结果放到用户仓库中本次运行的分支上，由人决定发布什么",
    ),
    "worktree_place": (
        "a working tree at {path} would become part of the result; choose a place below a temporary folder, for"
        " example `.scratch/before`",
        "位于 {path} 的工作树会成为结果的一部分；请选择临时文件夹下的位置，例如 `.scratch/before`",
    ),
    "worktree_seen": (
        "{path} does not ignore what lies beside it, so a working tree there would become part of the result; choose"
        " another folder below a temporary one, for example `.scratch/trees/before`",
        "{path} 没有忽略同一文件夹中的内容，因此那里的工作树会成为结果的一部分；请选择临时文件夹下的另一个文件夹，"
        "例如 `.scratch/trees/before`",
    ),
    "worktree_made": (
        "{path} shows commit {commit}; nothing in it is part of the result",
        "{path} 显示提交 {commit}；其中的内容不属于结果",
    ),
    "taken_back": (
        "the commit was taken back, because it would carry out what looks like a secret: {names}; files and index are"
        " as they were, so remove the secret (read it from the environment instead) or leave the file out, then"
        " commit again",
        "提交已被撤回，因为其中包含疑似机密的内容：{names}；文件和暂存区保持原样，请移除机密（改为从环境读取）或不提交该文件，"
        "然后重新提交",
    ),
    "not_taken_back": (
        "a commit holds what looks like a secret: {names}; it could not be taken back, so undo it"
        " (`git reset --soft` to the commit before), remove the secret and commit again: it is never shipped",
        "提交中包含疑似机密的内容：{names}；无法自动撤回，请自行撤销（用 `git reset --soft` 回到之前的提交），移除机密后重新提交："
        "它绝不会被发布",
    ),
    "in_message": ("the message of a commit", "提交说明"),
}
