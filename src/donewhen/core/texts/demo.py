"""What the demo says."""

TEXTS: dict[str, tuple[str, str]] = {
    "clean": (
        "1. Is this change done? donewhen finds the project's tests and runs them on the very tree that is there.",
        "1. 这个更改完成了吗？donewhen 找到项目的测试，并在现有的这棵树上运行。",
    ),
    "bug": (
        "2. Somebody halves the discount. The same command says what fails, and where.",
        "2. 有人把折扣减半。同一命令说明什么失败、在哪里。",
    ),
    "masked": (
        "3. A command that returns 0 whatever happens is no exam: it is not even started.",
        "3. 无论如何都返回 0 的命令不是考试：根本不会启动。",
    ),
    "weakened": (
        "   Nor does it help to switch the failing test off: a change that makes its own exam easier is red.",
        "   关掉失败的测试也没有用：让自己的考试变容易的改动就是红的。",
    ),
    "record": (
        "8. The events of an example run: a scripted agent fixes a bug, and each thing it does is an event in the ledger.",
        "8. 一个示例运行的事件：脚本代理修复缺陷，它做的每件事都是账本中的一条事件。",
    ),
    "audit": (
        "10. Is the ledger what was written? Each event carries the hash of the one before it.",
        "10. 账本与写入时一致吗？每条事件都带有前一条的哈希。",
    ),
    "tamper": (
        "11. Somebody turns the red test run into a green one, straight in the database.",
        "11. 有人直接在数据库里把失败的测试改成了通过。",
    ),
    "cut": (
        "12. Somebody cuts the end off and adjusts the database's head. The second copy of the head knows.",
        "12. 有人截掉末尾并改了数据库中的链头。另存的链头记得。",
    ),
    "config": (
        "13. The configuration: this repository's file is not trusted yet, so it may only tighten.",
        "13. 配置：这个仓库的文件尚未受信任，因此只能收紧。",
    ),
    "guard": (
        "14. What would a command do? The guard judges effects, not words, through every disguise.",
        "14. 一条命令会做什么？防护看的是效果而不是字面，任何伪装都一样。",
    ),
    "end": ("The demo told its whole story.", "演示结束。"),
    "unexpected": (
        "the demo did not go as it should at: {steps}; look into {folder}, and `donewhen doctor` checks this machine",
        "演示在这些步骤不符合预期：{steps}；可查看 {folder}，`donewhen doctor` 可检查本机",
    ),
    "kept": (
        "look around (`intact` is the run as it was, `state` the tampered one): cd {folder}/project && DONEWHEN_STATE_DIR={folder}/intact donewhen list",
        "可继续查看（`intact` 是原样，`state` 是被篡改的）：cd {folder}/project && DONEWHEN_STATE_DIR={folder}/intact donewhen list",
    ),
    "plan": (
        "4. What would have to be proven? The goal names its own exam; nothing is run yet.",
        "4. 需要证明什么？目标自己给出了考试；此时什么都不运行。",
    ),
    "match": (
        "5. Does a line that was run prove the declared command? Only if it is all of it, and its status could have shown failure.",
        "5. 运行过的一行能证明所声明的命令吗？只有完整运行、且状态能显示失败时才行。",
    ),
    "claim": (
        "6. An agent says that it is done. Its proofs are stale or masked, so the gate says what is still owed.",
        "6. 代理声称已完成。但证据过期或被掩盖，门禁说明还欠什么。",
    ),
    "corpus": (
        "7. Every rule can be pinned by example: small corpora of goals, lines and stories.",
        "7. 每条规则都可以用例子固定下来：目标、命令行和故事的小型用例集。",
    ),
    "asked": (
        "9. The same gate, asked about that stored run: at event 9 the test was red, at the end it is proven.",
        "9. 同一个门禁，询问这次已存的运行：到事件 9 时测试是红的，最后得到证明。",
    ),
}
