"""What runners print, and how many tests that is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.commands.counts import read_counts
from donewhen.core.counts import Counts, nothing_ran, reports_failures
from tests.tables import table_test

Row = tuple[str, str, tuple[int | None, int | None, int, int, int]]

# runner, output, (executed, passed, failed, errors, skipped)
JAVASCRIPT: list[Row] = [
    ("vitest", " Test Files  2 passed (2)\n      Tests  5 passed (5)\n   Duration  1.23s (tests 9ms)\n", (5, 5, 0, 0, 0)),
    ("vitest", " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 4 passed (5)\n", (5, 4, 1, 0, 0)),
    ("vitest", " Tests  1 failed | 4 passed (5)\n", (5, 4, 1, 0, 0)),
    ("vitest", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n", (0, 0, 0, 0, 3)),
    ("vitest", " Test Files  1 passed (1)\n      Tests  2 passed | 1 skipped | 1 todo (4)\n", (2, 2, 0, 0, 2)),
    ("vitest", " Test Files  1 passed (1)\n      Tests  3 todo (3)\n", (0, 0, 0, 0, 3)),
    ("vitest", " Test Files  1 failed (1)\n      Tests  no tests\n", (0, 0, 0, 1, 0)),
    ("vitest", " Test Files  1 passed (1)\n      Tests  3 passed (3)\n     Errors  1 error\n", (3, 3, 0, 1, 0)),
    ("vitest", " Test Files  2 passed (2)\n", (None, None, 0, 0, 0)),
    ("vitest", "No test files found, exiting with code 0\n", (0, 0, 0, 0, 0)),
    ("vitest", "\x1b[2m Test Files \x1b[22m \x1b[1m\x1b[32m1 passed\x1b[39m\x1b[22m\x1b[90m (1)\x1b[39m\r\n\x1b[2m      Tests \x1b[22m \x1b[32m4 passed\x1b[39m (4)\r\n", (4, 4, 0, 0, 0)),
    ("jest", "Test Suites: 1 passed, 1 total\nTests:       1 skipped, 4 passed, 5 total\nTime:        1.2 s, estimated 2 s\n", (4, 4, 0, 0, 1)),
    ("jest", "Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 1 todo, 3 passed, 5 total\n", (4, 3, 1, 0, 1)),
    ("jest", "Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n", (0, 0, 0, 0, 3)),
    ("jest", "Test Suites: 1 failed, 1 total\nTests:       0 total\n", (0, 0, 0, 1, 0)),
    ("jest", "Test Suites: 0 total\nTests:       0 total\n", (0, 0, 0, 0, 0)),
    ("jest", "No tests found, exiting with code 0\n", (0, 0, 0, 0, 0)),
    ("jest", '{"numFailedTestSuites":0,"numFailedTests":0,"numPassedTestSuites":1,"numPassedTests":4,"numPendingTestSuites":0,"numPendingTests":1,"x":1}\n', (4, 4, 0, 0, 1)),
    ("mocha", "\n  12 passing (30ms)\n  1 pending\n", (12, 12, 0, 0, 1)),
    ("mocha", "\n  0 passing (2ms)\n", (0, 0, 0, 0, 0)),
    ("mocha", "\n  0 passing (2ms)\n  4 pending\n", (0, 0, 0, 0, 4)),
    ("mocha", "\n  2 passing (1s)\n  1 failing\n\n  1) sums\n       adds:\n", (3, 2, 1, 0, 0)),
    ("playwright", "Running 5 tests using 2 workers\n  5 passed (4.4s)\n", (5, 5, 0, 0, 0)),
    ("playwright", "  1 failed\n  4 passed (4.4s)\n", (5, 4, 1, 0, 0)),
    ("playwright", "Running 3 tests using 1 worker\n\n  3 skipped\n", (0, 0, 0, 0, 3)),
    ("playwright", "Running 4 tests using 2 workers\n  1 flaky\n    [chromium] › a.spec.ts:3:5 › x\n  1 did not run\n  2 passed (1.1m)\n", (3, 3, 0, 0, 1)),
    ("playwright", "Running 1 test using 1 worker\n  1 failed\n    [chromium] › a.spec.ts:3:5 › logs in ─────\n", (1, 0, 1, 0, 0)),
    ("playwright", "  3 skipped\n", (0, 0, 0, 0, 3)),
    ("playwright", "Running 0 tests using 0 workers\n", (0, 0, 0, 0, 0)),
    ("playwright", "Error: No tests found\n", (0, 0, 0, 0, 0)),
    ("cypress", "  3 passing (2s)\n  (Run Finished)\n  │ ✔  a.cy.js                00:01        3        3        -        -        - │\n    ✔  All specs passed!      00:01        3        3        -        -        -\n", (3, 3, 0, 0, 0)),
    ("cypress", "    ✖  1 of 2 failed (50%)      00:03        5        3        1        1        -\n", (4, 3, 1, 0, 1)),
    ("cypress", "  │ Tests:        3      │\n  │ Passing:      2      │\n  │ Failing:      0      │\n  │ Pending:      1      │\n  │ Skipped:      0      │\n", (2, 2, 0, 0, 1)),
    ("cypress", "Can't run because no spec files were found.\n", (0, 0, 0, 0, 0)),
    ("bun", "bun test v1.1.0\n\n 5 pass\n 1 skip\n 0 fail\n 9 expect() calls\nRan 6 tests across 2 files. [20.00ms]\n", (5, 5, 0, 0, 1)),
    ("bun", " 0 pass\n 2 skip\n 0 fail\nRan 2 tests across 1 file. [9.00ms]\n", (0, 0, 0, 0, 2)),
    ("deno", "running 3 tests from ./a.ts\nok | 3 passed (2 steps) | 0 failed | 1 ignored (12ms)\n", (3, 3, 0, 0, 1)),
    ("deno", "FAILED | 2 passed | 1 failed (10ms)\n", (3, 2, 1, 0, 0)),
    ("deno", "ok | 0 passed | 0 failed (0ms)\n", (0, 0, 0, 0, 0)),
    ("ava", "  ✔ adds\n  ─\n\n  5 tests passed\n  1 test skipped\n", (5, 5, 0, 0, 1)),
    ("ava", "  1 test failed\n  2 tests passed\n", (3, 2, 1, 0, 0)),
    ("jasmine", "5 specs, 0 failures, 1 pending spec\n", (4, 4, 0, 0, 1)),
    ("karma", "Chrome Headless 120.0 (Linux x86_64): Executed 2 of 5 SUCCESS (0 secs / 0 secs)\rChrome Headless 120.0 (Linux x86_64): Executed 5 of 5 SUCCESS (0.02 secs / 0.01 secs)\n", (5, 5, 0, 0, 0)),
    ("node", "ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 52.1\n", (4, 3, 1, 0, 1)),
    ("node", "TAP version 13\nok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n", (1, 1, 0, 0, 0)),
    ("node", "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ skipped 0\n", (0, 0, 0, 0, 0)),
    ("cucumber", "3 scenarios (1 failed, 2 passed)\n9 steps (1 failed, 8 passed)\n", (3, 2, 1, 0, 0)),
]  # fmt: skip
PYTHON: list[Row] = [
    ("pytest", "tests/test_app.py ...   [100%]\n3 passed in 0.05s\n", (3, 3, 0, 0, 0)),
    ("pytest", "===== 1 failed, 2 passed, 1 skipped, 1 xfailed, 2 warnings in 0.06s =====\n", (4, 2, 1, 0, 1)),
    ("pytest", "collected 0 items\n\n===== no tests ran in 0.01s =====\n", (0, 0, 0, 0, 0)),
    ("pytest", "no tests ran in 0.01s\n", (0, 0, 0, 0, 0)),
    ("pytest", "collected 0 items\n", (0, 0, 0, 0, 0)),
    ("pytest", "collected 3 items / 3 deselected / 0 selected\n", (0, 0, 0, 0, 0)),
    ("pytest", "===== 3 deselected in 0.02s =====\n", (0, 0, 0, 0, 0)),
    ("pytest", "===== 4 skipped in 0.02s =====\n", (0, 0, 0, 0, 4)),
    ("pytest", "===== 2 xfailed in 0.02s =====\n", (2, 0, 0, 0, 0)),
    ("pytest", "===== 1 xpassed in 0.02s =====\n", (1, 0, 0, 0, 0)),
    ("pytest", "===== 1 error in 0.11s =====\n", (0, 0, 0, 1, 0)),
    ("pytest", "===== 250 passed, 3 rerun in 71.02s (0:01:11) =====\n", (250, 250, 0, 0, 0)),
    ("pytest", "===== 3 passed in 0.05 seconds =====\n", (3, 3, 0, 0, 0)),
    ("pytest", "\x1b[32m\x1b[32m\x1b[1m3 passed\x1b[0m\x1b[32m in 0.05s\x1b[0m\x1b[0m\n", (3, 3, 0, 0, 0)),
    ("pytest", "gw0 [3] / gw1 [3]\n...  [100%]\n3 passed in 0.61s\n", (3, 3, 0, 0, 0)),
    ("pytest", "12/15 tests collected (3 deselected) in 0.02s\n", (0, 0, 0, 0, 0)),
    ("pytest", "no tests collected (3 deselected) in 0.01s\n", (0, 0, 0, 0, 0)),
    ("pytest", "2 passed, 4 subtests passed in 0.02s\n", (2, 2, 0, 0, 0)),
    ("pytest", "Results (0.05s):\n       3 passed\n       1 failed\n         - tests/test_a.py:3 test_x\n", (4, 3, 1, 0, 0)),
    ("pytest", "py310: commands[0]> pytest\n== 3 passed in 0.05s ==\npy311: commands[0]> pytest\n== 3 passed, 1 skipped in 0.06s ==\n  py310: OK\n", (6, 6, 0, 0, 1)),
    ("unittest", "----\nRan 3 tests in 0.001s\n\nOK\n", (3, 3, 0, 0, 0)),
    ("unittest", "----\nRan 0 tests in 0.000s\n\nOK\n", (0, 0, 0, 0, 0)),
    ("unittest", "----\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n", (0, 0, 0, 0, 0)),
    ("unittest", "----\nRan 3 tests in 0.001s\n\nOK (skipped=3)\n", (0, 0, 0, 0, 3)),
    ("unittest", "----\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n", (5, 2, 1, 2, 0)),
    ("unittest", "----\nRan 2 tests in 0.001s\n\nOK (expected failures=1)\n", (2, 1, 0, 0, 0)),
    ("unittest", "----\nRan 1 test in 0.001s\n\nFAILED (unexpected successes=1)\n", (1, 0, 1, 0, 0)),
    ("unittest", "----\nRan 4 tests in 0.1s\n\nOK (SKIP=1)\n", (3, 3, 0, 0, 1)),
    ("behave", "1 feature passed, 0 failed, 0 skipped\n3 scenarios passed, 1 failed, 2 skipped\n", (4, 3, 1, 0, 2)),
    ("robot", "Suite A\n2 tests, 2 passed, 0 failed\n=====\nAll\n5 tests, 4 passed, 1 failed\n", (5, 4, 1, 0, 0)),
]  # fmt: skip
COMPILED: list[Row] = [
    ("go", "ok  \texample.com/app\t0.012s\n", (None, None, 0, 0, 0)),
    ("go", "ok   4d63.com/app 0.012s\n", (None, None, 0, 0, 0)),
    ("go", "ok  \texample.com/app\t(cached)\n", (None, None, 0, 0, 0)),
    ("go", "ok  \texample.com/app\t0.01s\tcoverage: 80.0% of statements\n", (None, None, 0, 0, 0)),
    ("go", "?   \texample.com/app\t[no test files]\n", (0, 0, 0, 0, 0)),
    ("go", "?   \texample.com/a\t[no test files]\nok  \texample.com/b\t0.012s\n", (None, None, 0, 0, 0)),
    ("go", "testing: warning: no tests to run\nPASS\nok  \texample.com/app\t0.002s [no tests to run]\n", (0, 0, 0, 0, 0)),
    ("go", "ok  \texample.com/app\t(cached) [no tests to run]\n", (0, 0, 0, 0, 0)),
    ("go", "testing: warning: no tests to run\nPASS\n", (0, 0, 0, 0, 0)),
    ("go", "=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \texample.com/app\t0.002s\n", (0, 0, 0, 0, 1)),
    ("go", "=== RUN   TestA\n=== RUN   TestA/x\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/x (0.00s)\nPASS\nok  \ta.b/c\t0.1s\n", (1, 1, 0, 0, 0)),
    ("go", "--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\ta.b/c\t0.01s\nFAIL\n", (None, None, 1, 0, 0)),
    ("go", "FAIL\ta.b/c [build failed]\nFAIL\n", (0, 0, 0, 1, 0)),
    ("go", "panic: boom\nFAIL\ta.b/c\t0.01s\nFAIL\n", (None, None, 0, 1, 0)),
    ("go", '{"Time":"2026","Action":"run","Package":"a","Test":"TestA"}\n{"Time":"2026","Action":"pass","Package":"a","Test":"TestA","Elapsed":0}\n{"Time":"2026","Action":"skip","Package":"a","Test":"TestB"}\n{"Time":"2026","Action":"pass","Package":"a","Elapsed":0.1}\n', (1, 1, 0, 0, 1)),
    ("go", '{"Action":"skip","Package":"a","Elapsed":0}\n', (0, 0, 0, 0, 0)),
    ("gotestsum", "✓  a (1ms)\n\nDONE 5 tests, 1 skipped, 1 failure in 0.123s\n", (4, 3, 1, 0, 1)),
    ("cargo", "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", (0, 0, 0, 0, 0)),
    ("cargo", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n", (0, 0, 0, 0, 0)),
    ("cargo", "test result: ok. 0 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out\n", (0, 0, 0, 0, 3)),
    ("cargo", "test a::b ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\ntest result: ok. 4 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.02s\n", (7, 6, 1, 0, 1)),
    ("nextest", "     Summary [   0.05s] 5 tests run: 4 passed (1 slow), 1 failed, 2 skipped\n", (5, 4, 1, 0, 2)),
    ("nextest", "     Summary [   0.00s] 0 tests run: 0 passed, 3 skipped\n", (0, 0, 0, 0, 3)),
    ("ctest", "100% tests passed, 0 tests failed out of 5\n\nTotal Test time (real) =   0.01 sec\n", (5, 5, 0, 0, 0)),
    ("ctest", "67% tests passed, 1 tests failed out of 3\n\nThe following tests did not run:\n\t  3 - s (Skipped)\n", (2, 1, 1, 0, 1)),
    ("ctest", "No tests were found!!!\n", (0, 0, 0, 0, 0)),
    ("googletest", "[==========] 5 tests from 2 test suites ran. (0 ms total)\n[  PASSED  ] 4 tests.\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] A.B\n", (5, 4, 1, 0, 0)),
    ("catch2", "All tests passed (9 assertions in 5 test cases)\n", (5, 5, 0, 0, 0)),
    ("catch2", "test cases:  5 |  4 passed | 1 failed\nassertions: 9 | 8 passed | 1 failed\n", (5, 4, 1, 0, 0)),
    ("doctest", "[doctest] test cases:  5 |  5 passed | 0 failed | 2 skipped\n", (5, 5, 0, 0, 2)),
    ("automake", "# TOTAL: 5\n# PASS:  3\n# SKIP:  1\n# XFAIL: 1\n# FAIL:  0\n# XPASS: 0\n# ERROR: 0\n", (4, 3, 0, 0, 1)),
    ("meson", "Ok:                 5\nExpected Fail:      0\nFail:               1\nUnexpected Pass:    0\nSkipped:            1\nTimeout:            0\n", (6, 5, 1, 0, 1)),
    ("bazel", "Executed 0 out of 3 tests: 3 tests pass.\n", (3, 3, 0, 0, 0)),
    ("bazel", "Executed 2 out of 3 tests: 2 tests pass and 1 fails locally.\n", (3, 2, 1, 0, 0)),
    ("xctest", "\t Executed 2 tests, with 0 failures (0 unexpected) in 0.01 (0.01) seconds\nTest Suite 'All tests' passed.\n\t Executed 5 tests, with 2 tests skipped and 1 failure (0 unexpected) in 0.02 (0.02) seconds\n", (3, 2, 1, 0, 2)),
    ("swift-testing", "✔ Test run with 5 tests passed after 0.001 seconds.\n", (5, 5, 0, 0, 0)),
    ("zig", "4 passed; 1 skipped; 0 failed.\n", (4, 4, 0, 0, 1)),
    ("tasty", "All 5 tests passed (0.01s)\n", (5, 5, 0, 0, 0)),
]  # fmt: skip
JVM_AND_DOTNET: list[Row] = [
    ("maven", "[INFO] Running a.ATest\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.05 s - in a.ATest\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.01 s -- in a.BTest\n[INFO] \n[INFO] Results:\n[INFO] \n[WARNING] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1\n", (4, 4, 0, 0, 1)),
    ("maven", "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\n", (7, 7, 0, 0, 0)),
    ("maven", "[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0\n", (5, 3, 1, 1, 0)),
    ("maven", "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0\n", (0, 0, 0, 0, 0)),
    ("maven", "[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 4\n", (0, 0, 0, 0, 4)),
    ("maven", "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n", (0, 0, 0, 0, 0)),
    ("maven", "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS\n", (0, 0, 0, 0, 0)),
    ("maven", "    [junit] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 sec\n", (5, 5, 0, 0, 0)),
    ("gradle", "5 tests completed, 1 failed, 2 skipped\n", (3, 2, 1, 0, 2)),
    ("gradle", "> Task :compileTestJava NO-SOURCE\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s\n", (0, 0, 0, 0, 0)),
    ("gradle-tests", "> Task :test\n\nATest > adds PASSED\nATest > later SKIPPED\n\nBUILD SUCCESSFUL in 1s\n", (1, 1, 0, 0, 1)),
    ("gradle-tests", "> Task :test\nATest > later SKIPPED\nBUILD SUCCESSFUL in 1s\n", (0, 0, 0, 0, 1)),
    ("junit", "OK (5 tests)\n", (5, 5, 0, 0, 0)),
    ("junit", "[         5 tests found           ]\n[         1 tests skipped         ]\n[         4 tests started         ]\n[         0 tests aborted         ]\n[         3 tests successful      ]\n[         1 tests failed          ]\n", (4, 3, 1, 0, 1)),
    ("sbt", "[info] Tests: succeeded 5, failed 0, canceled 0, ignored 0, pending 0\n[info] Passed: Total 5, Failed 0, Errors 0, Passed 5\n", (5, 5, 0, 0, 0)),
    ("dotnet", "Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 20 ms - App.Tests.dll (net8.0)\n", (5, 5, 0, 0, 0)),
    ("dotnet", "Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 20 ms - A.dll (net8.0)\nPassed!  - Failed:     0, Passed:     2, Skipped:     1, Total:     3, Duration: 9 ms - B.dll (net8.0)\n", (7, 6, 1, 0, 1)),
    ("dotnet", "Skipped! - Failed:     0, Passed:     0, Skipped:     3, Total:     3\n", (0, 0, 0, 0, 3)),
    ("dotnet", "Test Run Successful.\nTotal tests: 5\n     Passed: 4\n    Skipped: 1\n Total time: 1.2 Seconds\n", (4, 4, 0, 0, 1)),
    ("dotnet", "Total tests: 3\n    Skipped: 3\n", (0, 0, 0, 0, 3)),
    ("dotnet", "Total tests: 5. Passed: 4. Failed: 1. Skipped: 0.\n", (5, 4, 1, 0, 0)),
    ("dotnet", "Test summary: total: 5, failed: 0, succeeded: 4, skipped: 1, duration: 1.2s\n", (4, 4, 0, 0, 1)),
    ("dotnet", "No test is available in /w/bin/App.Tests.dll. Make sure that test discoverer & executors are registered.\n", (0, 0, 0, 0, 0)),
    ("dotnet", "No test matches the given testcase filter `X` in /w/App.dll\n", (0, 0, 0, 0, 0)),
    ("nunit", "  Test Count: 5, Passed: 4, Failed: 0, Warnings: 0, Inconclusive: 0, Skipped: 1\n", (4, 4, 0, 0, 1)),
]  # fmt: skip
OTHERS: list[Row] = [
    ("tap", "1..3\nok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n", (2, 1, 1, 0, 1)),
    ("tap", "TAP version 14\nok 1 - a\n    not ok 1 - inner\nnot ok 2 - b # TODO soon\n1..2\n", (1, 1, 0, 0, 1)),
    ("tap", "1..0 # SKIP no database\n", (0, 0, 0, 0, 0)),
    ("tap", "1..2\nok 1\nBail out! no disk\n", (1, 1, 0, 1, 0)),
    ("prove", "t/a.t .. ok\nAll tests successful.\nFiles=2, Tests=5,  1 wallclock secs ( 0.02 usr  0.00 sys)\nResult: PASS\n", (5, 5, 0, 0, 0)),
    ("prove", "Files=0, Tests=0,  0 wallclock secs ( 0.00 usr)\nResult: NOTESTS\n", (0, 0, 0, 0, 0)),
    ("rspec", "Finished in 0.02 seconds\n5 examples, 0 failures, 2 pending\n", (3, 3, 0, 0, 2)),
    ("rspec", "0 examples, 0 failures\n", (0, 0, 0, 0, 0)),
    ("rspec", "0 examples, 0 failures, 1 error occurred outside of examples\n", (0, 0, 0, 1, 0)),
    ("minitest", "5 runs, 9 assertions, 1 failures, 0 errors, 1 skips\n", (4, 3, 1, 0, 1)),
    ("test-unit", "5 tests, 9 assertions, 0 failures, 0 errors, 1 pendings, 0 omissions, 0 notifications\n", (4, 4, 0, 0, 1)),
    ("exunit", "3 doctests, 5 tests, 1 failure, 2 skipped\n", (6, 5, 1, 0, 2)),
    ("exunit", "5 tests, 0 failures, 5 excluded\n", (0, 0, 0, 0, 5)),
    ("exunit", "4 tests, 0 failures, 1 skipped in 2 seconds\n", (3, 3, 0, 0, 1)),
    ("phpunit", "OK (5 tests, 9 assertions)\n", (5, 5, 0, 0, 0)),
    ("phpunit", "FAILURES!\nTests: 5, Assertions: 9, Errors: 1, Failures: 1, Skipped: 1.\n", (4, 2, 1, 1, 1)),
    ("phpunit", "OK, but incomplete, skipped, or risky tests!\nTests: 3, Assertions: 0, Skipped: 2, Incomplete: 1.\n", (0, 0, 0, 0, 3)),
    ("phpunit", "No tests executed!\n", (0, 0, 0, 0, 0)),
    ("jest", "  Tests:    1 failed, 2 skipped, 5 passed (9 assertions)\n  Duration: 0.10s\n", (6, 5, 1, 0, 2)),
    ("dart", "00:00 +1: loading a_test.dart\r00:01 +4 ~1 -1: Some tests failed.\n", (5, 4, 1, 0, 1)),
    ("dart", "00:00 +0: No tests ran.\n", (0, 0, 0, 0, 0)),
    ("busted", "5 successes / 1 failure / 0 errors / 2 pending : 0.01 seconds\n", (6, 5, 1, 0, 2)),
    ("clojure", "Ran 5 tests containing 9 assertions.\n0 failures, 0 errors.\n", (5, 5, 0, 0, 0)),
    ("testthat", "[ FAIL 0 | WARN 0 | SKIP 1 | PASS 5 ]\n", (5, 5, 0, 0, 1)),
    ("make", "make: Nothing to be done for 'test'.\n", (0, 0, 0, 0, 0)),
    ("make", "make: 'test' is up to date.\n", (0, 0, 0, 0, 0)),
    ("npm", "> app@1.0.0 test\n> echo \"Error: no test specified\"\n\nError: no test specified\n", (0, 0, 0, 0, 0)),
    ("vitest+pytest", " Test Files  2 passed (2)\n      Tests  5 passed (5)\n3 passed in 0.05s\n", (8, 8, 0, 0, 0)),
    ("vitest", "No tests found, exiting with code 0\n Test Files  1 passed (1)\n      Tests  5 passed (5)\n", (5, 5, 0, 0, 0)),
    ("vitest", "web:test:  Test Files  1 passed (1)\napi:test:  Test Files  1 passed (1)\nweb:test:       Tests  2 passed (2)\napi:test:       Tests  3 passed (3)\n", (5, 5, 0, 0, 0)),
    ("vitest", "packages/a test:       Tests  3 skipped (3)\n", (0, 0, 0, 0, 3)),
    ("pytest", "api-1  | ===== no tests ran in 0.01s =====\n", (0, 0, 0, 0, 0)),
]  # fmt: skip


@table_test(("runner", "output", "numbers"), JAVASCRIPT + PYTHON + COMPILED + JVM_AND_DOTNET + OTHERS)
def test_a_summary_is_read(runner, output, numbers):
    counts = read_counts(output)
    assert isinstance(counts, Counts)
    assert (counts.runner, counts[:5]) == (runner, numbers)
    executed, _, failed, errors, _ = numbers
    assert reports_failures(counts) is bool(failed or errors)
    assert nothing_ran(counts) is (executed == 0 and not failed and not errors)


@table_test(
    "output",
    [
        "", "\n\n", "ok\n", "built in 3s\n", "added 60 packages in 4s\n", "py311: OK\n", "BUILD SUCCESSFUL in 1s\n",
        "> Task :test\n\nBUILD SUCCESSFUL in 1s\n", "> Task :test UP-TO-DATE\nBUILD SUCCESSFUL in 1s\n",
        "README.md:3:3 passed in 0.05s\n", "README.md:12:  0 passing (2ms)\n", "we saw that 0 tests ran\n",
        "INFO: 0 tests, everything is fine\n", "the log says: no tests ran in 0.01s\n", "All checks passed!\n",
        "Found 3 errors.\n", "3 passed\n", "0 tests\n", "ok 1 - not TAP without a plan\n", "1..5\n",
        "[INFO] BUILD SUCCESS\n", "Success: no issues found in 3 source files\n", "make: Nothing to be done for 'all'.\n",
        "collected 5 items\n", "12 problems (2 errors, 10 warnings)\n", "Tests: all of them pass\n", "{\"a\": 1}\n",
        "> ATest > adds PASSED\n", "\x1b[32mok\x1b[0m\n",
    ],
)  # fmt: skip
def test_what_is_no_summary_says_nothing(output):
    assert read_counts(output) is None


@table_test(
    ("output", "files", "seconds"),
    [
        (" Test Files  8 passed (8)\n      Tests  22 passed (22)\n   Duration  1.23s (transform 9ms)\n", 8, "1.23s"),
        ("Test Suites: 2 passed, 2 total\nTests:       5 passed, 5 total\nTime:        1.234 s\n", 2, "1.234 s"),
        (" 5 pass\n 0 fail\nRan 5 tests across 2 files. [20.00ms]\n", 2, "20.00ms"),
        ("ℹ tests 1\nℹ pass 1\nℹ duration_ms 52.1\n", None, "52.1ms"),
        ("3 passed in 0.05s\n4 passed in 0.06s\n", None, None),
    ],
)  # fmt: skip
def test_files_and_time_are_told_where_one_summary_gives_them(output, files, seconds):
    counts = read_counts(output)
    assert counts and (counts.files, counts.seconds) == (files, seconds)


@table_test(
    ("output", "names"),
    [
        ("FAILED tests/test_a.py::test_b - assert 1 == 2\nERROR tests/test_c.py\n1 failed, 1 error in 0.1s\n", ("tests/test_a.py::test_b", "tests/test_c.py")),
        ("FAIL: test_a (m.T.test_a)\n----\nRan 1 test in 0.1s\n\nFAILED (failures=1)\n", ("test_a (m.T.test_a)",)),
        (" FAIL  src/a.test.ts > sums > adds\n Tests  1 failed (1)\n", ("src/a.test.ts > sums > adds",)),
        ("  ● sums › adds\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n", ("sums › adds",)),
        ("--- FAIL: TestA (0.00s)\nFAIL\ta.b/c\t0.01s\n", ("TestA",)),
        ("test a::b ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out\n", ("a::b",)),
        ("1..1\nnot ok 1 - adds\n", ("adds",)),
        ("FAILED t.py::a\nFAILED t.py::b\nFAILED t.py::c\nFAILED t.py::d\nFAILED t.py::e\nFAILED t.py::f\n6 failed in 1s\n", ("t.py::a", "t.py::b", "t.py::c", "t.py::d", "t.py::e")),
        ("FAILED t.py::a\n1 passed in 1s\n", ()),
    ],
)  # fmt: skip
def test_the_first_failed_tests_are_named(output, names):
    counts = read_counts(output)
    assert counts and counts.failed_names == names


def test_the_end_of_a_long_output_counts():
    noise = "some line of a program\n" * 100_000
    assert read_counts(noise + "3 passed in 0.05s\n") == read_counts("3 passed in 0.05s\n")


@pytest.mark.runs
@table_test(
    "piece",
    [
        "\x1b[", "\x1b]", "\x1b[0", "{", '{"Time":', "ok ", "ok\n", "1 passed, ", "1 passing\n", " 1 pending\n", "= ", "=" * 50,
        "Tests  1 passed | ", "--- PASS: a\n", "[ FAIL 1 | ", " > ", "a > b PASSED\n", "│ Tests: ", "│ ✔ 1 ", "\r", "1..",
        "> Task :a", "Tests run: 1, ", "a:b: ", "FAILED a[", "  1 passed (1s)\n", "1\n", "ℹ tests 1\n", " 1 pass\n",
    ],
)  # fmt: skip
def test_hostile_output_is_read_in_bounded_work(piece):
    counts = read_counts(" 1 passing (1ms)\n" + piece * (400_000 // len(piece)) + "\n1 failed in 1s\n")
    assert counts is not None and reports_failures(counts)


@given(st.text())
def test_any_text_can_be_read(text):
    counts = read_counts(text)
    assert counts is None or not (nothing_ran(counts) and reports_failures(counts))


@given(st.integers(0, 999), st.integers(0, 999), st.integers(0, 999))
def test_summaries_add_up(passed, failed, skipped):
    one = f"{failed} failed, {passed} passed, {skipped} skipped in 0.10s\n"
    alone, twice = read_counts(one), read_counts(one + one)
    assert alone and twice
    assert alone[:5] == (passed + failed, passed, failed, 0, skipped)
    assert twice[:5] == (2 * (passed + failed), 2 * passed, 2 * failed, 0, 2 * skipped)
