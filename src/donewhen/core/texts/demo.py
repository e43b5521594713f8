"""What the demo says."""

TEXTS: dict[str, tuple[str, str]] = {
    "scripted": (
        "The agent of this demo is a script, no model: it claims too early, cheats, and then does its work.",
        "本演示的代理是脚本，不是模型：它先谎称完成，再作弊，最后才真正完成工作。",
    ),
    "plan": (
        "1. What has to be proven? The promise is fixed before anything runs.",
        "1. 需要证明什么？在运行任何东西之前先定下承诺。",
    ),
    "run": (
        "2. The run: every claim is examined by the harness itself, in a workspace apart from yours.",
        "2. 运行：每次声称完成，都由程序自己检验，在与你的目录分开的工作区中进行。",
    ),
    "branch": (
        "3. The result is a commit on a branch of its own: exactly the tree that was proven. Your files are untouched.",
        "3. 结果是独立分支上的一个提交：正是被证明的那棵树。你的文件没有被动过。",
    ),
    "audit": (
        "4. Is the ledger what was written? Each event carries the hash of the one before it.",
        "4. 账本与写入时一致吗？每条事件都带有前一条的哈希。",
    ),
    "tamper": (
        "5. Somebody turns the refusals into acceptances, straight in the database.",
        "5. 有人直接在数据库里把拒绝改成了验收。",
    ),
    "end": ("This is the whole story.", "演示结束。"),
    "real": (
        "On your own repository: `donewhen verify` judges the change that is there; `donewhen run GOAL --accept CMD` lets a model work, and `donewhen models` says which can be used here.",
        "用于自己的仓库：`donewhen verify` 评判现有更改；`donewhen run GOAL --accept CMD` 让模型工作，`donewhen models` 列出此处可用的模型。",
    ),
    "unexpected": (
        "the demo did not go as it should at: {steps}; look into {folder}, and `donewhen doctor` checks this machine",
        "演示在这些步骤不符合预期：{steps}；可查看 {folder}，`donewhen doctor` 可检查本机",
    ),
    "kept": (
        "look around (`intact` is the run as it was, `state` the tampered one): cd {folder}/shop && DONEWHEN_STATE_DIR={folder}/intact donewhen show last",
        "可继续查看（`intact` 是原样，`state` 是被篡改的）：cd {folder}/shop && DONEWHEN_STATE_DIR={folder}/intact donewhen show last",
    ),
}
