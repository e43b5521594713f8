"""What the sandbox says."""

TEXTS: dict[str, tuple[str, str]] = {
    "active": (
        "commands run confined by {mechanism}, network {network}",
        "命令在 {mechanism} 的限制下运行，网络：{network}",
    ),
    "off": ("not confined: sandbox.mode is off", "未受限制：sandbox.mode 为 off"),
    "not_confined": (
        "not confined: this machine has neither bubblewrap nor Landlock nor sandbox-exec; only the guard's rules and resource limits apply",
        "未受限制：本机没有 bubblewrap、Landlock 或 sandbox-exec；只有守卫规则和资源限制生效",
    ),
    "required": (
        "sandbox.mode is required, but commands can't be confined here ({why}); install bubblewrap or set sandbox.mode to auto",
        "sandbox.mode 为 required，但此处无法限制命令（{why}）；请安装 bubblewrap，或把 sandbox.mode 设为 auto",
    ),
    "nothing_here": ("no bubblewrap, Landlock or sandbox-exec", "没有 bubblewrap、Landlock 或 sandbox-exec"),
    "required_network": (
        "sandbox.mode is required, but {mechanism} can't cut off the whole network here; install bubblewrap or allow network namespaces",
        "sandbox.mode 为 required，但 {mechanism} 在此处无法切断全部网络；请安装 bubblewrap 或允许网络命名空间",
    ),
    "registries": (
        "sandbox.network: registries can't be enforced yet, because it needs a proxy that is not available; use none or full",
        "sandbox.network: registries 目前无法强制执行，因为它需要尚不可用的代理；请使用 none 或 full",
    ),
    "bad_folder": (
        "{folder} can't be a folder that commands may write: it holds the whole home or machine; choose a folder below it",
        "{folder} 不能作为命令可写的文件夹：它包含整个主目录或整台机器；请选择其下的文件夹",
    ),
    "gap_network": (
        "network none is not enforced: network namespaces are not allowed here",
        "network: none 未强制执行：此处不允许网络命名空间",
    ),
    "gap_udp": (
        "network none stops TCP alone, loopback included; UDP and other protocols still pass",
        "network: none 只阻止 TCP（包括环回）；UDP 和其他协议仍可通过",
    ),
    "gap_temp": (
        "the temp folder is shared with the machine, and names (not contents) of hidden files can be seen",
        "临时文件夹与本机共享，隐藏文件的名称（而非内容）可见",
    ),
    "gap_temp_closed": (
        "the machine's /tmp is closed to commands, which have a temp folder of their own (TMPDIR); `sandbox.temp: shared` opens it. Names (not contents) of hidden files can be seen",
        "本机的 /tmp 对命令关闭，命令有自己的临时文件夹（TMPDIR）；`sandbox.temp: shared` 可开放。隐藏文件的名称（而非内容）可见",
    ),
    "gap_processes": (
        "processes are not in a namespace of their own; what a command leaves behind is looked for and killed",
        "进程不在独立的命名空间中；命令遗留的进程会被查找并终止",
    ),
    "gap_modes": (
        "permissions, owners and times of files outside (not contents) can be changed, and sockets and terminals of the machine reached, as far as the user's rights go",
        "在用户权限范围内，外部文件的权限、属主和时间（而非内容）可被更改，且可访问本机的套接字和终端",
    ),
    "gap_hidden": (
        "{path} is not hidden: it lies in a folder that commands may write, and Landlock can't except it; move it elsewhere or install bubblewrap",
        "{path} 未被隐藏：它位于命令可写的文件夹中，Landlock 无法将其排除；请移到别处或安装 bubblewrap",
    ),
    "gap_truncate": (
        "files outside can still be emptied: this kernel's Landlock does not know truncation (Linux 6.2 or newer does)",
        "外部文件仍可被清空：此内核的 Landlock 不支持截断限制（Linux 6.2 或更新版本支持）",
    ),
    "gap_overlays": (
        "the user's caches are covered by empty ones: this bubblewrap has no overlays (0.11 or newer has)",
        "用户的缓存被空缓存遮盖：此 bubblewrap 不支持 overlay（0.11 或更新版本支持）",
    ),
    "gap_forks": (
        "the number of processes is not limited: the system does not bind root by it and no control group can be made",
        "进程数不受限制：系统不以此约束 root，且无法创建控制组",
    ),
    "gap_memory": (
        "memory is not limited for a command as a whole, at most for each process: no control group can be made",
        "整条命令的内存不受限制，至多按单个进程限制：无法创建控制组",
    ),
    "bubblewrap_missing": (
        "bubblewrap is not installed; install the package bubblewrap for the strongest confinement",
        "未安装 bubblewrap；安装 bubblewrap 软件包可获得最强的限制",
    ),
    "bubblewrap_fails": (
        "bubblewrap is installed but does not work here: {why}",
        "已安装 bubblewrap，但在此处不可用：{why}",
    ),
    "no_bash": (
        "bash is not installed; commands given as text can't be run, only programs with arguments",
        "未安装 bash；无法运行以文本给出的命令，只能运行带参数的程序",
    ),
}
