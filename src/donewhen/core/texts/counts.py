"""How counts of tests are told."""

TEXTS: dict[str, tuple[str, str]] = {
    "test": ("{n} test passed", "{n} 个测试通过"),
    "tests": ("{n} tests passed", "{n} 个测试通过"),
    "file": ("{n} file / {rest}", "{n} 个文件 / {rest}"),
    "files": ("{n} files / {rest}", "{n} 个文件 / {rest}"),
    "failed": ("{n} failed", "{n} 个失败"),
    "failed_of": ("{n} of {all} tests failed", "{all} 个测试中 {n} 个失败"),
    "error": ("{n} error", "{n} 个错误"),
    "errors": ("{n} errors", "{n} 个错误"),
    "skipped": ("no test ran, {n} skipped", "没有运行测试，跳过 {n} 个"),
    "none": ("no test ran", "没有运行测试"),
    "as_expected": ("{n} ran, all marked as expected failures", "运行 {n} 个，均标记为预期失败"),
    "unknown": ("tests passed", "测试通过"),
    "and_skipped": ("{told}, {n} skipped", "{told}，跳过 {n} 个"),
    "took": ("{told}, {time}", "{told}，用时 {time}"),
    "comma": (", ", "，"),
}
