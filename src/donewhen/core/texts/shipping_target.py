"""What the harness says about the branch that accepted work is merged into."""

TEXTS: dict[str, tuple[str, str]] = {
    "missing": (
        "there is no branch {branch} in {folder} to merge into; create it, or name another one with project.targetBranch",
        "{folder} 中没有可供合并的分支 {branch}；请创建它，或用 project.targetBranch 指定其他分支",
    ),
    "a_tag": (
        "{branch} is a tag in {folder}, and nothing can be merged into a tag; name a branch with project.targetBranch",
        "{branch} 在 {folder} 中是标签，无法合并到标签；请用 project.targetBranch 指定一个分支",
    ),
    "alias": (
        "{branch} is another name for {other}; set project.targetBranch to the branch itself",
        "{branch} 只是 {other} 的别名；请把 project.targetBranch 设为该分支本身",
    ),
    "same": (
        "the branch {branch} can't be both the run's own and the one that it is merged into; give another --branch or another project.targetBranch",
        "分支 {branch} 不能既是运行自己的分支又是合并的目标；请换一个 --branch 或 project.targetBranch",
    ),
    "detached": (
        "there is no branch {branch} and HEAD in {folder} is on none, so there is nothing to merge into; name a branch with project.targetBranch",
        "没有分支 {branch}，且 {folder} 的 HEAD 不在任何分支上，无法判断合并到哪里；请用 project.targetBranch 指定分支",
    ),
    "protected": (
        "the branch {branch} is protected, and nothing is merged into it; set ship.to_protected: true in your own configuration if that is wanted, or name another branch with project.targetBranch",
        "分支 {branch} 受保护，不会合并到它；若确实需要，请在您自己的配置中设置 ship.to_protected: true，或用 project.targetBranch 指定其他分支",
    ),
    "followed": (
        "there is no branch {default}: accepted work is merged into {branch}, where you are",
        "没有分支 {default}：被接受的成果将合并到您当前所在的 {branch}",
    ),
    "gone": (
        "the branch {target} is gone, so there is nothing to merge into; the accepted commit is on {branch}: `git branch {target} {branch}` makes it again",
        "分支 {target} 已不存在，无法合并；被接受的提交在 {branch} 上：`git branch {target} {branch}` 可重新创建",
    ),
    "unrelated": (
        "{target} and {branch} have no commit in common, so they can't be merged; the accepted commit is on {branch}",
        "{target} 与 {branch} 没有共同的提交，无法合并；被接受的提交在 {branch} 上",
    ),
    "conflict": (
        "{target} moved and conflicts with the accepted commit in {names}; it is kept on {branch}: merge {target} into it by hand and verify again",
        "{target} 已前进，并与被接受的提交冲突：{names}；该提交保留在 {branch} 上：请手工把 {target} 合并进去并重新验证",
    ),
    "red": (
        "{target} moved, and merged with it the change is not proven: {why}; the accepted commit is kept on {branch}: merge {target} into it, repair, and verify again",
        "{target} 已前进，合并后的改动未得到证明：{why}；被接受的提交保留在 {branch} 上：请把 {target} 合并进去，修复后重新验证",
    ),
    "moved_again": (
        "{target} was moved by somebody else {times} times while the change was being merged; the accepted commit is kept on {branch}: `git merge {branch}` when it is quiet",
        "合并期间 {target} 被他人移动了 {times} 次；被接受的提交保留在 {branch} 上：待平静后执行 `git merge {branch}`",
    ),
    "not_moved": (
        "{target} could not be moved: {why}; the accepted commit is kept on {branch}",
        "无法移动 {target}：{why}；被接受的提交保留在 {branch} 上",
    ),
    "secret": (
        "commit {commit}, which {target} lacks, holds what looks like a secret ({names}); nothing was merged, take it out of the history of {branch} first",
        "{target} 尚没有的提交 {commit} 含有疑似密钥的内容（{names}）；未合并任何内容，请先将其从 {branch} 的历史中移除",
    ),
    "unscanned": (
        "{target} lacks {number} commits of {branch}, which is too much to look through for secrets; nothing was merged, bring the base that the run started from to {target} first",
        "{target} 缺少 {branch} 的 {number} 个提交，数量过多，无法逐一检查密钥；未合并任何内容，请先把运行所基于的提交带到 {target}",
    ),
    "alias_now": (
        "{target} was made another name for {other} during the run, so nothing was merged; the accepted commit is kept on {branch}: merge it by hand where it belongs",
        "运行期间 {target} 变成了 {other} 的别名，因此未合并；被接受的提交保留在 {branch} 上：请手工合并到应去的分支",
    ),
    "filtered": (
        "{branch} is checked out in {folder}, where the repository's own settings name programs for its files (filter {names}), and these are not run on a change that an agent made",
        "{branch} 已在 {folder} 中检出，该仓库自身的设置为文件指定了程序（filter {names}），不会对代理所做的改动运行它们",
    ),
    "over": (
        "the run is over; the accepted commit is kept on {branch}",
        "运行已结束；被接受的提交保留在 {branch} 上",
    ),
    "left": (
        "not merged: {why}; the accepted commit is on {branch}, `{command}` brings it to {target}",
        "未合并：{why}；被接受的提交在 {branch} 上，`{command}` 可将其带到 {target}",
    ),
    "left_verify": (
        "not merged: {why}; the accepted commit is on {branch}, and {target} moved meanwhile: `{command}` brings it there, then verify again",
        "未合并：{why}；被接受的提交在 {branch} 上，而 {target} 已前进：`{command}` 可将其带过去，之后请重新验证",
    ),
    "dirty": (
        "{branch} is checked out in {folder}, which has changes that are not committed ({names}): commit or stash them first",
        "{branch} 已在 {folder} 中检出，其中有未提交的改动（{names}）：请先提交或储藏",
    ),
    "busy": (
        "{branch} is checked out in {folder}, where a {operation} is not finished: finish or abort it first",
        "{branch} 已在 {folder} 中检出，那里有未完成的 {operation}：请先完成或中止",
    ),
    "locked": (
        "{branch} is checked out in {folder}, where another git is at work (index.lock)",
        "{branch} 已在 {folder} 中检出，另有 git 正在其中工作（index.lock）",
    ),
    "in_the_way": (
        "{branch} is checked out in {folder}, where files that git does not track are in the way ({names}): move them away first",
        "{branch} 已在 {folder} 中检出，其中有 git 未跟踪的文件挡路（{names}）：请先移走",
    ),
    "absent": (
        "{branch} is checked out in {folder}, which is not there (`git worktree prune` forgets it)",
        "{branch} 已在 {folder} 中检出，但该文件夹不存在（`git worktree prune` 可清除记录）",
    ),
    "refused": (
        "{branch} is checked out in {folder}, whose files can't follow: {why}",
        "{branch} 已在 {folder} 中检出，其文件无法跟随：{why}",
    ),
    "not_followed": (
        "{branch} is at the accepted commit, but in {folder} these files are still as before: {names} ({why}); look at `git diff HEAD` there before you commit, for it would take the accepted work back",
        "{branch} 已在被接受的提交上，但 {folder} 中这些文件仍是之前的内容：{names}（{why}）；提交之前请在那里查看 `git diff HEAD`，否则会撤销被接受的工作",
    ),
    "taken_back": (
        "{branch} has moved on from the merge and no longer holds the whole change: {names} are as they were before it; the accepted work is in {commit}, look at `git diff {commit} {branch}`",
        "{branch} 在合并之后又有移动，不再包含全部改动：{names} 回到了合并之前的内容；被接受的工作在 {commit} 中，请查看 `git diff {commit} {branch}`",
    ),
    "there": (
        "{target} has the accepted commit already; nothing was merged",
        "{target} 已包含被接受的提交；未再合并",
    ),
    "proving": ("proving what {target} would be with it", "正在证明合并后的 {target}"),
    "forward": (
        "proven by the harness (acceptance commands: {count}, and all checks), committed to {branch} and merged into {target}",
        "已由程序自行证明（{count} 条验收命令及全部检查），提交到 {branch} 并合并到 {target}",
    ),
    "merge": (
        "proven by the harness (acceptance commands: {count}, and all checks), committed to {branch}, merged with what {target} had become, and proven again",
        "已由程序自行证明（{count} 条验收命令及全部检查），提交到 {branch}，与已前进的 {target} 合并并再次证明",
    ),
    "no_pull_request": (
        "accepted, but no pull request was opened: {why}; the work is on {branch}, `{command}` sends it",
        "已接受，但未能创建合并请求：{why}；成果在 {branch} 上，`{command}` 可将其推送",
    ),
    "no_pull_request_kept": (
        "accepted, but no pull request was opened: {why}; the work is kept on {branch}",
        "已接受，但未能创建合并请求：{why}；成果保留在 {branch} 上",
    ),
    "no_note": (
        "the acceptance record could not be attached to {commit} as a git note: {why}; it is kept in the state folder",
        "无法把验收记录作为 git note 附加到 {commit}：{why}；它保存在状态文件夹中",
    ),
    "shown": ("Merged: {target} ({commit})", "已合并：{target}（{commit}）"),
    "shown_pull": ("Pull request: {url}", "合并请求：{url}"),
    "ship_option": (
        "What happens to accepted work: left on its branch, merged into the target branch, or a pull request.",
        "被接受的成果如何处理：留在其分支上、合并到目标分支，或创建合并请求。",
    ),
}
