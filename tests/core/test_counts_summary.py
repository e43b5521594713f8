"""Counts as people read them."""

from donewhen.core.counts import Counts, summary
from tests.tables import table_test


@table_test(
    ("counts", "english", "chinese"),
    [
        (Counts(22, 22, files=8), "8 files / 22 tests passed", "8 个文件 / 22 个测试通过"),
        (Counts(22, 22, files=8, seconds="1.23s"), "8 files / 22 tests passed, 1.23s", "8 个文件 / 22 个测试通过，用时 1.23s"),
        (Counts(1, 1, files=1), "1 file / 1 test passed", "1 个文件 / 1 个测试通过"),
        (Counts(4, 4, skipped=1), "4 tests passed, 1 skipped", "4 个测试通过，跳过 1 个"),
        (Counts(5, 4, 1), "1 of 5 tests failed", "5 个测试中 1 个失败"),
        (Counts(None, None, 2), "2 failed", "2 个失败"),
        (Counts(5, 2, 1, 2), "1 of 5 tests failed, 2 errors", "5 个测试中 1 个失败，2 个错误"),
        (Counts(0, 0, errors=1), "1 error", "1 个错误"),
        (Counts(0, 0, skipped=3), "no test ran, 3 skipped", "没有运行测试，跳过 3 个"),
        (Counts(2, 0), "2 ran, all marked as expected failures", "运行 2 个，均标记为预期失败"),
        (Counts(3, 2), "2 tests passed", "2 个测试通过"),
        (Counts(0, 0), "no test ran", "没有运行测试"),
        (Counts(None, None, seconds="0.01s"), "tests passed, 0.01s", "测试通过，用时 0.01s"),
    ],
)  # fmt: skip
def test_counts_are_told_in_both_languages(counts, english, chinese):
    assert (summary(counts), summary(counts, "zh")) == (english, chinese)
