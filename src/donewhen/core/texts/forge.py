"""What the harness says about pushes and pull requests."""

TEXTS: dict[str, tuple[str, str]] = {
    # why there is no door
    "switched_off": (
        "ship.forge is none, so no pull request is opened",
        "ship.forge 为 none，因此不创建合并请求",
    ),
    "no_remote_set": (
        "there is no remote {remote}; `git remote add {remote} URL` adds one, ship.remote names another",
        "没有远程 {remote}；可用 `git remote add {remote} URL` 添加，或用 ship.remote 指定另一个",
    ),
    "unknown_forge": (
        "it is not clear which forge the remote {remote} belongs to; say so with ship.forge (github or gitlab)",
        "无法判断远程 {remote} 属于哪个平台；请用 ship.forge（github 或 gitlab）说明",
    ),
    "no_host": (
        "the address of the remote {remote} is a folder and names no forge; set ship.api_url to the forge's API",
        "远程 {remote} 的地址是一个文件夹，没有指明平台；请把 ship.api_url 设为该平台的 API 地址",
    ),
    "no_login": (
        "nobody is logged in at {host}: run `{program} auth login`, or put a token into {variables}",
        "尚未登录 {host}：请运行 `{program} auth login`，或把令牌放入 {variables}",
    ),
    "no_api_url": (
        "a token is only sent to an address that you name: run `{program} auth login` for {host}, or set "
        "ship.api_url in your own configuration",
        "令牌只会发送到你指定的地址：请为 {host} 运行 `{program} auth login`，或在你自己的配置中设置 ship.api_url",
    ),
    # settings
    "bad_remote": (
        "ship.remote is {remote}, which is no name of a remote; `git remote` lists them",
        "ship.remote 为 {remote}，不是远程名称；`git remote` 可列出",
    ),
    "bad_branch": (
        "{branch} is no name for a branch of the remote; name another with --branch",
        "{branch} 不能作为远程分支的名称；请用 --branch 指定另一个",
    ),
    "bad_api_url": (
        "ship.api_url is no address of an API; it must look like https://HOST/api/v3, without a login in it",
        "ship.api_url 不是 API 地址；应形如 https://HOST/api/v3，且不含登录信息",
    ),
    "plain_http": (
        "ship.api_url leads to {host} without encryption, and a token is not sent that way; use https",
        "ship.api_url 以未加密方式访问 {host}，不会这样发送令牌；请使用 https",
    ),
    "odd_token": (
        "{variable} holds characters that no token has; set it again",
        "{variable} 含有令牌不会有的字符；请重新设置",
    ),
    # the push
    "protected": (
        "the branch {branch} is protected, and nothing is pushed there; name another branch",
        "分支 {branch} 受保护，不会推送到该分支；请指定其他分支",
    ),
    "foreign": (
        "the branch {branch} of {remote} has commits that are not of this run, and nothing is overwritten; name "
        "another branch with --branch, or remove that one",
        "{remote} 的分支 {branch} 上有不属于本次运行的提交，不会覆盖；请用 --branch 指定其他分支，或删除那个分支",
    ),
    "hook": (
        "your {hook} hook did not let {branch} pass: {said}; the work is kept on its branch, push it by hand when "
        "the hook agrees",
        "你的 {hook} 钩子未放行 {branch}：{said}；成果保留在其分支上，钩子同意后可手动推送",
    ),
    "remote_rejected": (
        "{remote} rejected the push of {branch}: {said}; the work is kept on its branch, change the rule there or "
        "name another branch",
        "{remote} 拒绝了对 {branch} 的推送：{said}；成果保留在其分支上，请修改那边的规则或指定其他分支",
    ),
    "in_place": (
        "a run in place pushes nothing, because the agent worked where git keeps what a push would run",
        "就地运行不推送任何内容，因为推送时 git 会运行的内容位于代理工作过的地方",
    ),
    "in_place_refused": (
        "a run in place opens no pull request: a push from {folder} would run what the agent could have written "
        "there; run without --in-place, or with --ship branch and push the branch yourself",
        "就地运行不会创建合并请求：从 {folder} 推送会运行代理可能在那里写入的内容；请不使用 --in-place 运行，"
        "或使用 --ship branch 并自行推送分支",
    ),
    "unpushed_secret": (
        "commit {commit}, which {remote} lacks, holds what looks like a secret ({names}), so nothing was pushed; "
        "take it out of that commit, or push the commit yourself if it is none",
        "{remote} 尚没有的提交 {commit} 含有疑似密钥的内容（{names}），因此未推送任何内容；请从该提交中移除，"
        "若并非密钥可自行推送该提交",
    ),
    "unpushed_many": (
        "{remote} lacks {number} commits of what would be pushed, which is too much to look through for secrets, "
        "so nothing was pushed; push the base that the run started from first",
        "{remote} 缺少待推送内容中的 {number} 个提交，数量过多，无法逐一检查密钥，因此未推送任何内容；"
        "请先推送运行所基于的提交",
    ),
    "git_slow": (
        "{remote} did not answer git in time; push by hand when it does",
        "{remote} 未及时响应 git；待其恢复后可手动推送",
    ),
    "no_network": (
        "{remote} can't be reached: {said}; push by hand when the network is back",
        "无法连接 {remote}：{said}；网络恢复后可手动推送",
    ),
    "no_access": (
        "{remote} lets us neither read nor push: {said}; log in (credential helper, ssh key) and try again",
        "{remote} 不允许读取或推送：{said}；请先登录（凭据助手、ssh 密钥）再试",
    ),
    "no_remote": (
        "{remote} leads to no repository: {said}; `git remote set-url {remote} URL` corrects it",
        "{remote} 没有指向任何仓库：{said}；可用 `git remote set-url {remote} URL` 更正",
    ),
    "git_failed": (
        "git could not speak with {remote}: {said}; try `git ls-remote {remote}`",
        "git 无法与 {remote} 通信：{said}；可试 `git ls-remote {remote}`",
    ),
    "no_base": (
        "{remote} has no branch {base} that a pull request could go to; push it, or set project.targetBranch",
        "{remote} 没有可作为合并目标的分支 {base}；请推送该分支，或设置 project.targetBranch",
    ),
    "same_branch": (
        "a pull request can't go from {branch} to itself; name another branch with --branch",
        "合并请求不能从 {branch} 指向自身；请用 --branch 指定其他分支",
    ),
    # the forge
    "slow": (
        "{host} did not answer within {seconds} seconds; try again later",
        "{host} 未在 {seconds} 秒内响应；请稍后再试",
    ),
    "unreachable": (
        "{host} can't be reached: {why}; try again when the network is back",
        "无法连接 {host}：{why}；网络恢复后再试",
    ),
    "no_json": (
        "{host} answered with something that is no answer of a forge's API; check ship.api_url",
        "{host} 的回答不是平台 API 的回答；请检查 ship.api_url",
    ),
    "moved": (
        "{host} answered with a redirect (HTTP {status}), which is not followed with a token; correct the "
        "remote's address or ship.api_url",
        "{host} 返回重定向（HTTP {status}），带令牌时不会跟随；请更正远程地址或 ship.api_url",
    ),
    "busy": (
        "{host} asks us to wait (HTTP {status}): {said}; try again later",
        "{host} 要求等待（HTTP {status}）：{said}；请稍后再试",
    ),
    "broken": (
        "{host} has trouble of its own (HTTP {status}): {said}; try again later",
        "{host} 自身出现故障（HTTP {status}）：{said}；请稍后再试",
    ),
    "login": (
        "{host} does not take the token in {variable} (HTTP 401): {said}; make a new one and set {variable}",
        "{host} 不接受 {variable} 中的令牌（HTTP 401）：{said}；请新建令牌并设置 {variable}",
    ),
    "forbidden": (
        "the token in {variable} may not open pull requests at {host} (HTTP 403): {said}; give it that right",
        "{variable} 中的令牌无权在 {host} 创建合并请求（HTTP 403）：{said}；请授予该权限",
    ),
    "not_found": (
        "{host} knows no such repository, or does not show it to the token in {variable} (HTTP 404); check the "
        "remote's address and the token's rights",
        "{host} 没有该仓库，或不向 {variable} 中的令牌显示（HTTP 404）；请检查远程地址与令牌权限",
    ),
    "exists": (
        "{host} says that there is a pull request for this branch already, and does not show it; look there",
        "{host} 表示该分支已有合并请求，但未能列出；请到那里查看",
    ),
    "refused": (
        "{host} refused the pull request (HTTP {status}): {said}; correct that and try again",
        "{host} 拒绝了合并请求（HTTP {status}）：{said}；请更正后再试",
    ),
    "not_ready": (
        "{url} is still a draft, because the forge refused to mark it as ready: {said}; mark it there",
        "{url} 仍是草稿，因为平台拒绝将其标记为就绪：{said}；请在那里标记",
    ),
    "program_slow": (
        "{program} did not come to an end within {seconds} seconds; try it by hand",
        "{program} 未在 {seconds} 秒内结束；请手动尝试",
    ),
    "program_not_run": (
        "{program} could not be run: {why}; install it again",
        "无法运行 {program}：{why}；请重新安装",
    ),
    "program_failed": (
        "{program} could not do it (exit {exit}): {said}; try it by hand",
        "{program} 未能完成（退出码 {exit}）：{said}；请手动尝试",
    ),
    "program_unclear": (
        "{program} did not say which pull request it opened; look at the forge",
        "{program} 未说明创建了哪个合并请求；请到平台查看",
    ),
    # the run
    "blocked": (
        "the hook {hook} stops the pull request: {reason}; the branch {branch} is kept",
        "钩子 {hook} 阻止了合并请求：{reason}；分支 {branch} 已保留",
    ),
    "secret": (
        "the work holds what looks like a secret ({names}), so it is not pushed; take it out and resume",
        "成果中含有疑似密钥的内容（{names}），因此不推送；请移除后继续",
    ),
    "nothing": ("there is no change that a pull request could show", "没有可供合并请求展示的更改"),
    "opened": ("pull request: {url}", "合并请求：{url}"),
    "updated": ("pull request, brought up to date: {url}", "合并请求（已更新）：{url}"),
    "found": (
        "there is a pull request for this branch already, which somebody else wrote: {url}",
        "该分支已有他人创建的合并请求：{url}",
    ),
    "draft": ("handed over as a draft pull request: {url}", "已作为草稿合并请求移交：{url}"),
    "instead": ("no draft pull request ({why}); instead: {how}", "未创建草稿合并请求（{why}）；改为：{how}"),
    "instead_notify": ("people were notified", "已通知相关人员"),
    "instead_over": (
        "the run is over and its work is kept, `donewhen show {run}` says what to type",
        "运行已结束，成果已保留，`donewhen show {run}` 会说明该输入什么",
    ),
    "instead_pause": (
        "the run waits, `donewhen resume {run}` goes on",
        "运行等待中，可用 `donewhen resume {run}` 继续",
    ),
}
