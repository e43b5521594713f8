"""What the demo says."""

TEXTS: dict[str, tuple[str, str]] = {
    "record": (
        "1. The events of an example run: a scripted agent fixes a bug, and each thing it does is an event in the ledger.",
        "1. 一个示例运行的事件：脚本代理修复缺陷，它做的每件事都是账本中的一条事件。",
    ),
    "audit": (
        "2. Is the ledger what was written? Each event carries the hash of the one before it.",
        "2. 账本与写入时一致吗？每条事件都带有前一条的哈希。",
    ),
    "tamper": (
        "3. Somebody turns the red test run into a green one, straight in the database.",
        "3. 有人直接在数据库里把失败的测试改成了通过。",
    ),
    "cut": (
        "4. Somebody cuts the end off and adjusts the database's head. The second copy of the head knows.",
        "4. 有人截掉末尾并改了数据库中的链头。另存的链头记得。",
    ),
    "config": (
        "5. The configuration: this repository's file is not trusted yet, so it may only tighten.",
        "5. 配置：这个仓库的文件尚未受信任，因此只能收紧。",
    ),
    "end": ("The demo told its whole story.", "演示结束。"),
    "unexpected": (
        "the demo did not go as it should at: {steps}; `donewhen doctor` checks this machine",
        "演示在这些步骤不符合预期：{steps}；`donewhen doctor` 可检查本机",
    ),
    "kept": (
        "look around (`intact` is the run as it was, `state` the tampered one): cd {folder}/project && DONEWHEN_STATE_DIR={folder}/intact donewhen list",
        "可继续查看（`intact` 是原样，`state` 是被篡改的）：cd {folder}/project && DONEWHEN_STATE_DIR={folder}/intact donewhen list",
    ),
}
