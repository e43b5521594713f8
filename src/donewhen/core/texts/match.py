"""What `donewhen match` prints."""

TEXTS: dict[str, tuple[str, str]] = {
    "match": ("proven", "已证明"),
    "masked": ("masked", "被掩盖"),
    "other": ("not the check", "不是该检验"),
    "col_kind": ("EXPECTED", "预期"),
    "col_cases": ("CASES", "用例"),
    "col_right": ("RIGHT", "正确"),
    "col_wrong": ("WRONG", "错误"),
    "col_confusion": ("EXPECTED ↓ GOT →", "预期 ↓ 得到 →"),
    "wrong": ("{id}: expected {expected}, got {got}", "{id}：预期{expected}，得到{got}"),
    "score": (
        "{right} of {cases} cases are right, {false_proofs} would count although they prove nothing",
        "{cases} 个用例中 {right} 个正确，{false_proofs} 个什么也没证明却会被计入",
    ),
    "unknown_shell": (
        "`{shell}` in {place} is no shell that is read; write bash or cmd",
        "{place} 中的 `{shell}` 不是可读的 shell；请写 bash 或 cmd",
    ),
}
