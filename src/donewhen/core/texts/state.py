"""How a task stands, in words."""

TEXTS: dict[str, tuple[str, str]] = {
    "not_required": ("no run is needed", "无需运行"),
    "required": ("a run on the current tree is still needed", "仍需在当前文件树上运行"),
    "passed": ("passed on the current tree", "已在当前文件树上通过"),
    "failed": ("failed on the current tree", "在当前文件树上失败"),
    "phase_intent": ("reading the goal", "理解目标"),
    "phase_context": ("reading, nothing is changed", "了解上下文，尚无改动"),
    "phase_editing": ("editing", "编辑中"),
    "phase_verification": ("verifying", "验证中"),
    "deliverables": (
        "files to confirm: {required}, of these pending: {pending}, exempt: {exempt}",
        "需确认的文件：{required}，其中待确认：{pending}，豁免：{exempt}",
    ),
    "line": (
        "verification: {verification}; phase: {phase}; {deliverables}",
        "验证：{verification}；阶段：{phase}；{deliverables}",
    ),
    "own_tests": ("the project's own tests", "项目自己的测试"),
}
