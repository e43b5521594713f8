"""What the doctor says."""

TEXTS: dict[str, tuple[str, str]] = {
    "sqlite_old": (
        "SQLite {found} is too old; use a Python built with {least} or newer",
        "SQLite {found} 过旧；请使用带有 {least} 或更新版本的 Python",
    ),
    "git_missing": (
        "git is not installed; install git {least} or newer with your package manager",
        "未安装 git；请用包管理器安装 git {least} 或更新版本",
    ),
    "git_broken": (
        "{path} does not answer `git --version`; reinstall git",
        "{path} 不响应 `git --version`；请重新安装 git",
    ),
    "git_old": (
        "git {found} is too old; install {least} or newer",
        "git {found} 过旧；请安装 {least} 或更新版本",
    ),
    "idle": (
        "{files}; these keys have no effect in this version: {keys}",
        "{files}；以下键在此版本中尚无作用：{keys}",
    ),
    "untrusted": (
        "{files}: not trusted, settings ignored: {count}; `donewhen config show` lists them, `donewhen trust` takes them",
        "{files}：未受信任，忽略的设置：{count}；`donewhen config show` 列出它们，`donewhen trust` 采纳它们",
    ),
    "not_writable": (
        "{path} can't be written ({why}); make it yours or set DONEWHEN_STATE_DIR",
        "{path} 不可写（{why}）；请改为属于你，或设置 DONEWHEN_STATE_DIR",
    ),
    "little_space": (
        "{path} has only {free} MB left; free some space or run `donewhen gc`",
        "{path} 只剩 {free} MB；请腾出空间或执行 `donewhen gc`",
    ),
    "not_yet": ("{path} (made by the first run)", "{path}（首次运行时创建）"),
    "open_to_others": (
        "{path} can be written by others; run `chmod 700` on it",
        "{path} 可被他人写入；请对它执行 `chmod 700`",
    ),
    "store_ok": ("{path}, runs: {runs}", "{path}，运行数：{runs}"),
    "config_first": ("not looked at, because the configuration is wrong", "未检查，因为配置有误"),
    "not_possible": (
        "{path} can't be made there ({why}); see `state`",
        "无法在该处创建 {path}（{why}）；参见 `state`",
    ),
}
