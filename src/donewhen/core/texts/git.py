"""What the harness says about git and repositories."""

TEXTS: dict[str, tuple[str, str]] = {
    "missing": (
        "git is not installed or not on the PATH; install git 2.30 or newer",
        "未安装 git 或不在 PATH 中；请安装 git 2.30 或更新版本",
    ),
    "only_inside": (
        "the only git on the PATH is {program}, inside the project, where anybody could have put it; "
        "install git outside of {folder} or put its folder on the PATH",
        "PATH 中唯一的 git 是项目内的 {program}，任何人都可能把它放在那里；请在 {folder} 之外安装 git，或把其所在文件夹加入 PATH",
    ),
    "no_folder": ("the folder {folder} is gone", "文件夹 {folder} 已不存在"),
    "failed": ("`git {command}` failed: {why}", "`git {command}` 失败：{why}"),
    "refused": ("git refuses the repository in {folder}: {why}", "git 拒绝 {folder} 中的仓库：{why}"),
    "damaged_head": (
        "HEAD of the repository {folder} can't be read: its commit or reference is damaged; `git fsck` says more",
        "无法读取仓库 {folder} 的 HEAD：其提交或引用已损坏；`git fsck` 有详情",
    ),
    "not_a_file": (
        "{path} is neither a file nor a folder, and git would wait for it for ever; remove it",
        "{path} 既不是文件也不是文件夹，git 会一直等待；请将其移除",
    ),
    "no_repository": (
        "{folder} is not in a git repository, and evidence is bound to a git tree; run `git init` there, or go to your repository",
        "{folder} 不在 git 仓库中，而证据与 git 树绑定；请在那里运行 `git init`，或切换到您的仓库",
    ),
    "no_work_tree": (
        "{folder} is a git directory without a working tree; go to a folder where the files are checked out",
        "{folder} 是没有工作树的 git 目录；请切换到已检出文件的文件夹",
    ),
    "unreadable": (
        "the file {path} can't be read, so the content of the working tree is not known; make it readable, or ignore it in .gitignore",
        "无法读取文件 {path}，因此无法确定工作树的内容；请使其可读，或在 .gitignore 中忽略它",
    ),
    "closed_folder": (
        "a folder of the working tree can't be opened: {why}; make it readable, or ignore it in .gitignore",
        "无法打开工作树中的文件夹：{why}；请使其可读，或在 .gitignore 中忽略它",
    ),
    "too_deep": (
        "there are too many repositories inside each other at {folder}",
        "{folder} 处的仓库嵌套层数过多",
    ),
    "no_id": ("`{text}` is no id of a tree or commit", "`{text}` 不是树或提交的标识"),
    "not_restored": (
        "the files in {folder} change while they are put back; end what writes there and try again",
        "恢复 {folder} 中的文件时它们仍在变化；请停止写入该处的程序后重试",
    ),
    "checkpoints_broken": (
        "checkpoints in {folder} can't be read: {why}; the work they held may be lost, look at that folder before you remove it",
        "无法读取 {folder} 中的检查点：{why}；其中保存的内容可能已丢失，删除该文件夹前请先查看",
    ),
}
