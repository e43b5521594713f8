"""What is said about files that an exam reads and runs though they hold no tests."""

TEXTS: dict[str, tuple[str, str]] = {
    "gone": (
        "{file} is gone; {place} reads {word}, so the exam has less to look at",
        "{file} 已不存在；{place} 会读取 {word}，考试因此少检查了内容",
    ),
    "gone_wanted": (
        "put it back and make the code pass with it, or ask for its removal in the goal",
        "请恢复它并让代码通过，或在目标中要求删除",
    ),
    "made": (
        "{file} is new, and {place} takes another way where it is there ({word})",
        "{file} 是新建的，{place} 在它存在时会走另一条路（{word}）",
    ),
    "made_wanted": (
        "remove it and make the exam pass without it, or let the goal name it",
        "请删除它并让考试在没有它时通过，或在目标中点名它",
    ),
    "edited": (
        "{file} belongs to the exam ({place} reads {word}), and it is another than at the base",
        "{file} 属于考试（{place} 会读取 {word}），而它与基线不同",
    ),
    "edited_wanted": (
        "put it back and make the code satisfy it, or let the goal say that it changes",
        "请恢复它并让代码满足它，或在目标中说明它要改变",
    ),
    "script": (
        "{file} is what {place} runs to judge the work, and it judges otherwise now",
        "{file} 是 {place} 用来评判工作的脚本，而它现在的评判方式变了",
    ),
}
