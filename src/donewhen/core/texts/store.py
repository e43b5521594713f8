"""What the store says."""

TEXTS: dict[str, tuple[str, str]] = {
    "no_run": (
        "there is no run {run} in the store; `donewhen list` shows the runs there are",
        "存储中没有运行 {run}；用 `donewhen list` 查看现有的运行",
    ),
    "run_exists": ("run {run} is already in the store; use another id", "存储中已有运行 {run}；请换一个编号"),
    "leased": (
        "run {run} is in use by {owner}; wait until it ends or stop that process first",
        "运行 {run} 正由 {owner} 使用；请等它结束，或先停止那个进程",
    ),
    "stale_lease": (
        "the lease of run {run} (epoch {epoch}) was taken over (now {current}); this process must stop writing to it",
        "运行 {run} 的租约（第 {epoch} 期）已被接管（现为第 {current} 期）；本进程不得再写入",
    ),
    "bad_body": (
        "an event of type {type} can't be written: {why}; please report this as a bug",
        "类型为 {type} 的事件无法写入：{why}；请作为缺陷报告",
    ),
    "other_promise": (
        "an event of type {type} names the promise {id}, but run {run} is about {own}; please report this as a bug",
        "类型为 {type} 的事件指向承诺 {id}，而运行 {run} 的承诺是 {own}；请作为缺陷报告",
    ),
    "bug": (
        "the store's writer failed unexpectedly: {why}; please report this as a bug",
        "存储写入线程意外失败：{why}；请作为缺陷报告",
    ),
    "closed": ("the store is closed; open it again before writing", "存储已关闭；请重新打开后再写入"),
    "broken_chain": (
        "the ledger of run {run} is broken at event {seq} and is not used; `donewhen audit {run}` says what happened",
        "运行 {run} 的账本在第 {seq} 条事件处断裂，不予使用；`donewhen audit {run}` 说明原因",
    ),
    "cut_off": (
        "the ledger of run {run} was cut off before event {seq} and is not used; `donewhen audit {run}` says more",
        "运行 {run} 的账本在第 {seq} 条事件之前被截断，不予使用；`donewhen audit {run}` 有详情",
    ),
    "bad_head": (
        "the kept head of run {run} is not one ({why}), so its ledger is not used; `donewhen audit {run}` says more",
        "运行 {run} 保存的链头无效（{why}），因此不使用其账本；`donewhen audit {run}` 有详情",
    ),
    "bad_event": (
        "event {seq} of run {run} can't be read ({why}); upgrade donewhen or run `donewhen audit {run}`",
        "无法读取运行 {run} 的第 {seq} 条事件（{why}）；请升级 donewhen 或执行 `donewhen audit {run}`",
    ),
    "locked": (
        "the store {path} is locked by another process and stayed so; try again when that process has finished",
        "存储 {path} 一直被另一个进程锁定；请在该进程结束后重试",
    ),
    "read_only": (
        "the store {path} can't be written ({why}); make it writable or set DONEWHEN_STATE_DIR to a folder that is",
        "无法写入存储 {path}（{why}）；请改为可写，或把 DONEWHEN_STATE_DIR 设为可写的文件夹",
    ),
    "disk_full": (
        "no space is left to write {path} ({why}); free some space and run the command again, nothing was half-written",
        "没有空间写入 {path}（{why}）；请腾出空间后重试，没有留下写了一半的内容",
    ),
    "corrupt": (
        "the store {path} is damaged ({why}); restore it from a backup or move it away, it was not changed",
        "存储 {path} 已损坏（{why}）；请从备份恢复或将其移走，文件未被改动",
    ),
    "cannot_open": (
        "the store {path} can't be opened ({why}); check that the folder exists and is yours",
        "无法打开存储 {path}（{why}）；请检查文件夹是否存在且属于你",
    ),
    "io_error": (
        "reading or writing {path} failed ({why}); check the disk and run the command again",
        "读写 {path} 失败（{why}）；请检查磁盘后重试",
    ),
    "foreign_file": (
        "{path} is a database of another program; set store.url to another file",
        "{path} 是其他程序的数据库；请把 store.url 指向另一个文件",
    ),
    "newer_schema": (
        "the store {path} has version {version}, this donewhen knows up to {newest}; upgrade donewhen, the file was not changed",
        "存储 {path} 的版本是 {version}，本 donewhen 只支持到 {newest}；请升级 donewhen，文件未被改动",
    ),
    "no_artifact": (
        "artifact {digest} is not in {path}; it was removed or never kept, `donewhen show` lists what there is",
        "{path} 中没有工件 {digest}；它已被删除或从未保存，`donewhen show` 列出现有的工件",
    ),
    "bad_artifact": (
        "artifact {digest} in {path} does not match its name and is not used; restore it from a backup or remove it",
        "{path} 中的工件 {digest} 与其名称不符，不予使用；请从备份恢复或删除",
    ),
    "bad_url": (
        "store.url {url} names no store; give `user`, `repo` or sqlite:///ABSOLUTE/PATH",
        "store.url {url} 不是有效的存储；请写 `user`、`repo` 或 sqlite:///绝对路径",
    ),
    "no_postgres": (
        "store.url names PostgreSQL, which this version can't use yet; give `user`, `repo` or sqlite:///ABSOLUTE/PATH",
        "store.url 指向 PostgreSQL，本版本尚不支持；请写 `user`、`repo` 或 sqlite:///绝对路径",
    ),
    "no_runs": (
        "the store has no run yet; `donewhen demo` shows what one looks like",
        "存储中还没有运行；`donewhen demo` 可演示一个",
    ),
    "no_run_here": (
        "the store has no run of the repository {folder}; `donewhen list` names those of others, give the id of one",
        "存储中没有仓库 {folder} 的运行；`donewhen list` 列出其他仓库的运行，请给出其编号",
    ),
    "which_run": (
        "RUN is empty; give an id, a unique prefix or `last`",
        "RUN 为空；请给出编号、唯一前缀或 `last`",
    ),
    "ambiguous": (
        "{run} begins the ids of several runs ({some}); give more of the id",
        "有多个运行以 {run} 开头（{some}）；请多写几位",
    ),
    "forked": (
        "the store {path} was open when this process was forked, so it can't be used here; open it after the fork, or start processes by spawn",
        "存储 {path} 在本进程 fork 之前已打开，不能在此使用；请在 fork 之后打开，或以 spawn 方式启动进程",
    ),
    "reentrant": (
        "the store was written to from its own writer thread; please report this as a bug",
        "存储被其写入线程自身写入；请作为缺陷报告",
    ),
    "bad_run_id": (
        "{run} is no id of a run; it must look like r-20261115120000-0a1b2c, `donewhen.new_run_id()` makes one",
        "{run} 不是运行编号；应形如 r-20261115120000-0a1b2c，可用 `donewhen.new_run_id()` 生成",
    ),
    "moved_on": (
        "run {run} was appended to meanwhile and stays; run the command again",
        "运行 {run} 期间又有新事件，予以保留；请重新执行命令",
    ),
    "bad_row": (
        "the index row of run {run} is damaged; `donewhen audit {run}` says more",
        "运行 {run} 的索引行已损坏；`donewhen audit {run}` 有详情",
    ),
    "bad_lease": (
        "a lease of run {run} needs an owner and a time of 0 or more seconds",
        "运行 {run} 的租约需要持有者和不小于 0 秒的时长",
    ),
    "run_ended": (
        "run {run} has ended ({state}) and takes no request any more; `donewhen show {run}` says how it ended",
        "运行 {run} 已结束（{state}），不再接受请求；`donewhen show {run}` 说明其结局",
    ),
    "too_many_requests": (
        "{most} requests to run {run} wait already; let somebody resume or abort it first",
        "已有 {most} 个请求在等待运行 {run}；请先恢复或中止它",
    ),
    "answer_waits": (
        "question {ask} was already answered by {who} at {at}; the run takes that answer when it goes on",
        "问题 {ask} 已由 {who} 于 {at} 回答；运行继续时会采用该回答",
    ),
    "bad_request": (
        "a request to run {run} can't be written ({why}); make it shorter or plain text",
        "对运行 {run} 的请求无法写入（{why}）；请缩短或改为纯文本",
    ),
    "odd_request": (
        "request {number} to run {run} is not one of ours and is not used; `donewhen audit {run}` says more",
        "对运行 {run} 的第 {number} 个请求不是由本程序写入的，不予使用；`donewhen audit {run}` 有详情",
    ),
}
