"""Questions to a human about a change whose exam passes: what is asked, and what would settle it."""

TEXTS: dict[str, tuple[str, str]] = {
    "changed": (
        "{test} passed before; as it stood then it fails on the new code, and the change rewrites it",
        "{test} 之前通过；按原样在新代码上失败，而改动重写了它",
    ),
    "gone": (
        "{test} passed before; as it stood then it fails on the new code, and it no longer runs",
        "{test} 之前通过；按原样在新代码上失败，而它已不再运行",
    ),
    "skipped": (
        "{test} passed before; as it stood then it fails on the new code, and the change skips it",
        "{test} 之前通过；按原样在新代码上失败，而改动跳过了它",
    ),
    "changed_red": (
        "{test} failed before; as it stood then it still fails, and the change rewrites it",
        "{test} 之前就失败；按原样仍然失败，而改动重写了它",
    ),
    "gone_red": (
        "{test} failed before; as it stood then it still fails, and it no longer runs",
        "{test} 之前就失败；按原样仍然失败，而它已不再运行",
    ),
    "skipped_red": (
        "{test} failed before; as it stood then it still fails, and the change skips it",
        "{test} 之前就失败；按原样仍然失败，而改动跳过了它",
    ),
    "broken_many": (
        "{count} tests of {file}, as they stood before, fail on the new code: {names}, …",
        "{file} 的 {count} 个测试按原样在新代码上失败：{names} 等",
    ),
    "broken_wanted": (
        "restore the test and make the code pass it, or say why it must change",
        "恢复该测试并让代码通过它，或说明为何必须改变",
    ),
    "kept_from_running": (
        "{test} stands as it stood but no longer runs: a setting, hook or early exit keeps it from running",
        "{test} 保持原样但不再运行：某个设置、钩子或提前退出使它无法运行",
    ),
    "switched_off": (
        "{test} fails on this code; the change only switches it off and leaves the code as it was",
        "{test} 在这份代码上失败；改动只是把它关掉，代码保持原样",
    ),
    "base_command": (
        "with the tests and settings of the base `{command}` fails on the new code, or can't run: {last}",
        "用基准的测试和设置，`{command}` 在新代码上失败或无法运行：{last}",
    ),
    "base_command_altered": (
        "with the tests and settings of the base `{command}` fails on the new code, or can't run: {last};"
        " the change alters {tests}",
        "用基准的测试和设置，`{command}` 在新代码上失败或无法运行：{last}；改动涉及 {tests}",
    ),
    "base_not_run": (
        "tests or settings changed, and the ones of the base could not be run on the new code: {why}",
        "测试或设置有改动，而基准的测试无法在新代码上运行：{why}",
    ),
    "base_too_long": (
        "the exam takes {minutes} minutes, so the tests of the base were not run on the new code"
        " (`evidence.base_exam: always` runs them)",
        "测试需要 {minutes} 分钟，因此没有在新代码上运行基准的测试（`evidence.base_exam: always` 会运行它们）",
    ),
    "exam_settings": (
        "{file} says something else about the tests than before, and the base's word can't be put into it",
        "{file} 对测试的设置与之前不同，而基准的设置无法放回其中",
    ),
    "exam_inside": (
        "tests inside {file} changed or are gone, and those of the base can't be put back into the new code",
        "{file} 内的测试有改动或已移除，而基准的测试无法放回新代码",
    ),
    "threshold_lowered": (
        "coverage thresholds were lowered or removed: {thresholds}",
        "覆盖率阈值被降低或移除：{thresholds}",
    ),
    "base_held": (
        "the tests of the base ({tests}) pass on the new code",
        "基准的测试（{tests} 个）在新代码上通过",
    ),
    "red_before": (
        "{count} red before the change and still red: {names}",
        "{count} 个在改动之前就失败，现在仍然失败：{names}",
    ),
    "unstable": (
        "{test} passes the first time and fails the second (`{command}`), which it does not do at the base",
        "{test} 第一次通过，第二次失败（`{command}`），在基准上并非如此",
    ),
    "unstable_wanted": ("make the result the same however often it is run", "让结果无论运行多少次都相同"),
    "unsteady": (
        "`{command}` fails when it is run twice; it did so before the change",
        "`{command}` 连续运行两次时失败；改动之前也是如此",
    ),
    "still_red": (
        "{test} failed before and still fails, and it is about what the change touches",
        "{test} 之前失败，现在仍然失败，而且它涉及改动所触及的内容",
    ),
    "heading": ("Questions", "问题"),
    "next": (
        "Answer with `donewhen confirm q-… [--because TEXT]`, `donewhen confirm --all` or `donewhen deny q-… --because TEXT`.",
        "请用 `donewhen confirm q-… [--because TEXT]`、`donewhen confirm --all` 或 `donewhen deny q-… --because TEXT` 回答。",
    ),
    "owed": ("{place}: {message} [{id}]", "{place}：{message} [{id}]"),
    "denied_owed": (
        "{place}: {message}; a human answered no: {because}",
        "{place}：{message}；有人回答了否：{because}",
    ),
    "summary": (
        "the exam passes; {count} question(s) wait for your word",
        "考核通过；{count} 个问题等待你的答复",
    ),
    "none_wait": ("No question waits here.", "这里没有等待回答的问题。"),
    "confirmed": ("confirmed: {id}", "已确认：{id}"),
    "denied": ("denied: {id}", "已否定：{id}"),
    "again": (
        "Run `donewhen verify` again: the answers count there.",
        "再次运行 `donewhen verify`：答复将在那里生效。",
    ),
    "unknown": (
        "no question {id} waits here; `donewhen confirm` lists those that do",
        "这里没有等待回答的问题 {id}；`donewhen confirm` 会列出等待的问题",
    ),
    "ambiguous": ("{id} names several questions: {some}", "{id} 对应多个问题：{some}"),
    "because_missing": (
        "a no needs its reason, so that the agent knows what to do: add --because TEXT",
        "否定需要理由，以便代理知道该做什么：请加上 --because TEXT",
    ),
    "all_or_some": ("give question ids or --all, not both", "请给出问题编号或 --all，不能两者都给"),
    "prompt": ("Confirm {id}?", "确认 {id}？"),
    "bad_id": (
        "{id} is no id of a question; ids look like q-0123456789",
        "{id} 不是问题编号；编号形如 q-0123456789",
    ),
    "damaged": (
        "{path} can't be read as answers to questions: {why}; move it away to go on without them",
        "{path} 无法作为问题的答复读取：{why}；移走它即可继续",
    ),
}
