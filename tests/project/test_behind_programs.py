"""Tests that are programs of the project's own: nobody knows what they are, so only what is sure is told."""

import json

from tests.tables import table_test
from tests.verify.looking import look, reason

CC = "t: t.c m.c\n\tcc -o t t.c m.c\n"
HONEST_MAKEFILES = [
    f"test: t\n\t./t\n{CC}",
    f"test: t\n\t./t\n\t-rm -f t\n{CC}",
    f"test: t\n\t./t\n\t@-rm -rf tmp\n{CC}",
    "test:\n\tcc -o t t.c m.c\n\t./t\n\trm -rf build || true\n\techo done\n",
    "test:\n\t-mkdir build\n\tcc -o build/t t.c\n\tcd build && ./t\n",
    "test:\n\t./server & sleep 1; ./t; rc=$$?; kill %1 || true; exit $$rc\n",
    "test:\n\tdocker compose up -d\n\tdocker compose run app ./t\n\tdocker-compose down || true\n",
    "test:\n\t./t\n\t-gcovr --html out.html\n",
    "test:\n\t./t\n\t-./scripts/upload-coverage.sh\n",
    "test:\n\t./t\n\t-curl -s localhost/done\n",
    "test:\n\t./t || exit 1\n\t@-$(MAKE) clean\nclean:\n\t./cleaner\n",
    "test: setup\n\t./t\nsetup:\n\t-./prepare-db\n",
    "test: setup\n\t$(foreach t,$(TESTS),./$(t) &&) true\nsetup:\n\t-./something\n",
    "test: all\n\t$(RUNNER) --all\nall:\n\tcc -o t t.c\n",
    "test: a.out\n\t./a.out < in.txt > out.txt || true\n\tdiff out.txt expected.txt\n",
    "test:\n\techo 1 2 | ./calc | grep -q 3\n",
    "test:\n\t./calc > out; test \"$$(cat out)\" = 3\n",
    "test:\n\tif grep -q gpu cfg; then ./gpu_t; else ./cpu_t; fi\n",
    "test:\n\tif ./has-gpu; then ./gpu_t; else ./cpu_t; fi\n",
    "test:\n\t./t || ./t --retry\n",
    "test:\n\tcc -fsyntax-only m.c\n",
    "test:\n\tcmake --build build --target test\n",
    "test: test.o\n\t$(CC) -o $@ $^\n\t./$@\n",
    "build:\n\t-./gen\n\tcc m.c\ntest: build\n\tctest\n",
]  # fmt: skip


@table_test("text", HONEST_MAKEFILES)
def test_clearing_away_after_an_honest_test_program_is_fine(tmp_path, text):
    assert reason(look(tmp_path, "make test", Makefile=text)) == ""


SCRIPTS = {
    "set -e\nsh -n greet.sh\nsh real.sh || true\n": True,
    "set -e\nsh -n greet.sh\nsh real.sh\n": False,
    "set -e\ncc -o t t.c\n./t\nrm -f t || true\n": False,
    "cleanup() {\n  ./stopper -x || true\n}\nset -e\n./t\ncleanup\n": False,
    "trap './stopper' EXIT\nset -e\n./t\n": False,
    "./server --daemon\n./t\nrc=$?\n./server --halt\nexit $rc\n": False,
    "./server --daemon\n./t\nrc=$?\n./server --halt\nexit 0\n": True,
    'out=$(./greet.sh)\n[ "$out" = "hello" ] || { echo FAIL; exit 1; }\necho ok\n': False,
    'assert() { if [ "$1" != "$2" ]; then echo bad; exit 1; fi; }\n./prog > out\nassert "$(cat out)" x\n': False,
    'fail=0\nfor t in cases/*; do sh "$t" || fail=1; done\nexit $fail\n': False,
    'for t in cases/*; do sh "$t" || echo "$t failed"; done\n': True,
    'bad=0\nfor t in cases/*; do if ! sh "$t"; then bad=$((bad+1)); fi; done\n[ "$bad" -eq 0 ]\n': False,
    "./t > log || true\n! grep -q FAIL log\n": False,
    "set -e\n./t\ngrep -c PASS log || true\n": False,
}


@table_test(("text", "masked"), SCRIPTS.items())
@table_test("command", ["./test.sh", "make test", "./ci/verify.sh"])
def test_scripts_with_test_programs_of_their_own(tmp_path, command, text, masked):
    file = command.removeprefix("./") if "/" in command else "test.sh"
    files = {file: f"#!/bin/sh\n{text}", "real.sh": "./greet.sh | grep hello\n", "greet.sh": "echo hello\n"}
    found = look(tmp_path, command, Makefile="test:\n\t./test.sh\n", **files)
    assert (found.trouble is not None) == masked, reason(found)


NODE = {
    "node build.js && ./run || true": True,
    "npm run build && node suite.js": False,
    "npm run build; node suite.js || true": True,
    "node suite.js": False,
    "node suite.js && npm run cov": False,
}


@table_test(("text", "masked"), NODE.items())
def test_scripts_of_a_package(tmp_path, text, masked):
    scripts = {
        "test": text,
        "posttest": "node stats.js || true",
        "build": "webpack",
        "cov": "./send-it || true",
    }
    found = look(tmp_path, "npm test", **{"package.json": json.dumps({"scripts": scripts})})
    assert (found.trouble is not None) == masked, reason(found)


PADDING = {
    "lines that do nothing": "\n".join(f": {n}" for n in range(2500)),
    "honest runs": "set -e\n" + "\n".join(f"pytest tests/t{n}" for n in range(60)),
    "all kinds of runs": "\n".join(f"if [ -f {n} ]; then pytest t{n} || exit {n}; fi" for n in range(1, 150)),
}


@table_test("padding", PADDING.values(), ids=PADDING)
def test_padding_does_not_hide_a_masked_run(tmp_path, padding):
    found = look(tmp_path, "./test.sh", **{"test.sh": f"#!/bin/sh\n{padding}\npytest || true\n"})
    assert found.trouble is not None


@table_test("last", ["-pytest", "-./t"])
def test_padding_in_a_makefile_does_not_hide_a_masked_run(tmp_path, last):
    lines = "".join(f"\t@: {n}\n" for n in range(3000))
    assert look(tmp_path, "make test", Makefile=f"test:\n{lines}\t{last}\n").trouble is not None


def test_a_script_that_is_too_long_to_be_read_is_unknown(tmp_path):
    lines = "\n".join(f"./case{n} {'x' * 60} || exit 1" for n in range(2000))
    assert look(tmp_path, "./test.sh", **{"test.sh": f"#!/bin/sh\n{lines}\n"}).trouble is None


def test_long_honest_texts_are_fine(tmp_path):
    objects = [f"o{n}" for n in range(600)]
    rules = "".join(f"{name}:\n\tcc -c {name}.c\n" for name in objects)
    assert look(tmp_path, "make test", Makefile=f"test: {' '.join(objects)}\n\t./t\n{rules}").trouble is None
    lines = "\n".join(f"./case{n} || exit 1" for n in range(1000))
    assert look(tmp_path, "./test.sh", **{"test.sh": f"#!/bin/sh\n{lines}\n"}).trouble is None
    calls = 'run() { echo "$1"; ./prog "$1" || exit 1; }\n' + "\n".join(f"run {n}" for n in range(1500))
    assert look(tmp_path, "./test.sh", **{"test.sh": f"#!/bin/sh\n{calls}\n"}).trouble is None
