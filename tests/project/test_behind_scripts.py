"""Scripts that judge without a program that is known: `case`, functions, `$(…)`, files that are read in."""

from tests.tables import table_test
from tests.verify.looking import look

QUIET = {
    "p.sh": "echo\n",
    "lib/common.sh": (
        "say() { printf '%s\\n' \"$*\"; }\n"
        'must() { "$@" || { say "failed: $*" >&2; exit 1; }; }\n'
        'note() { "$@"; return 0; }\n'
    ),
    "lib/strict.sh": "set -euo pipefail\n",
    "lib/both.sh": ". lib/common.sh\n. lib/both.sh\n",
}


@table_test(
    "text",
    [
        'got=$(bash p.sh)\ncase $got in red|green) echo ok ;; *) echo "got $got"; exit 1 ;; esac\n',
        "case $(bash p.sh) in green) ;; *) exit 1 ;; esac\n",
        "case `bash p.sh` in green) true ;; *) false ;; esac\n",
        'check() { case $1 in green) return 0 ;; *) return 1 ;; esac; }\ncheck "$(bash p.sh)"\n',
        'fail() { echo "$1"; exit 1; }\ncase $(sh p.sh) in g) ;; *) fail no ;; esac\necho fine\n',
        "export R=$(sh p.sh)\ncase $R in g) ;; *) exit 1 ;; esac\n",
        "ok=1\ncase $(sh p.sh) in g) ok=0 ;; esac\nexit $ok\n",
        "sh p.sh > out\nx=$(< out)\ncase $x in y) ;; *) exit 2 ;; esac\n",
        "sh p.sh | { read -r x; case $x in g) exit 0 ;; esac; exit 1; }\n",
        "for w in a b; do case $(sh p.sh $w) in $w) ;; *) exit 1 ;; esac; done\n",
        "[[ $(bash p.sh) == green ]]\n",
        "(( $(bash p.sh) == 3 ))\n",
        'expr "$(bash p.sh)" = 3 > /dev/null\n',
        'n=$(bash p.sh)\nlet "n == 3"\n',
        '. lib/common.sh\nmust test "$(sh p.sh 1 2)" = 3\nsay verified\n',
        ". lib/common.sh || exit 2\nmust sh p.sh\nsay verified\n",
        ". lib/both.sh\nmust python3 app.py\nsay verified\n",
        ". lib/strict.sh\npython3 app.py\necho verified\n",
        ". lib/gone.sh\nmust python3 app.py\necho verified\n",
        'source "$(dirname "$0")/lib/common.sh"\nmust sh p.sh\necho verified\n',
    ],
)
@table_test("command", ["bash check.sh", "make check"])
def test_what_may_judge_is_run(tmp_path, command, text):
    files = {**QUIET, "check.sh": text, "Makefile": "check:\n\tbash check.sh\n"}
    assert look(tmp_path, command, **files).trouble is None


@table_test(
    "text",
    [
        "case $1 in a) echo b ;; *) echo c ;; esac\n",
        "exit 0\nexit 1\n",
        "f() { exit 1; }\necho hi\n",
        'f() { case $1 in g) return 0 ;; *) return 1 ;; esac; }\nf "$(sh p.sh)" || true\n',
        'echo "$(sh p.sh)"\n',
        "x=$(sh p.sh)\ncase $x in g) echo ok ;; *) echo bad ;; esac\n",
        "x=$(sh p.sh) || true\n",
        "x=$(sh p.sh); exit 0\n",
        "(case $(sh p.sh) in g) ;; *) exit 1 ;; esac)\nexit 0\n",
        'trap "exit 0" EXIT\ncase $(sh p.sh) in g) ;; *) exit 1 ;; esac\n',
        "x=$(pytest)\necho $x\n",
        ". lib/gone.sh\npython3 app.py || true\n",
        ". lib/gone.sh\npytest || true\n",
        ". lib/gone.sh\n./app || true\n",
    ],
)
def test_what_can_not_judge_is_still_told(tmp_path, text):
    assert look(tmp_path, "bash check.sh", **QUIET, **{"check.sh": text}).trouble is not None


def test_a_file_that_reads_in_too_much_is_left_to_the_exam(tmp_path):
    many = {f"lib/{number}.sh": f". lib/{number + 1}.sh\n" for number in range(40)}
    text = ". lib/0.sh\nmust python3 app.py\necho verified\n"
    assert look(tmp_path, "bash check.sh", **many, **{"check.sh": text}).trouble is None
