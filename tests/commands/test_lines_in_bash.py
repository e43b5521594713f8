"""A proof holds in a real shell: whatever the commands return, exit 0 means that a proven one ran and passed."""

import os
import shlex
import shutil
import signal
import subprocess
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from donewhen.commands import parse
from donewhen.commands.lines import invocations
from donewhen.core.tree import Refused
from tests.examples import many

pytestmark = [
    pytest.mark.third_party,
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
]

SHELLS = [each for each in ("bash", "dash", "zsh") if shutil.which(each)]
PIECES = st.sampled_from(
    """
a
a
b
b
true
false
exit
exit 0
exit $?
exit $rc
rc=$?
rc=0
rc=1
[ $rc -eq 0 ]
[ $? -ne 0 ]
[[ $rc == 0 ]]
((rc))
rc=$((rc+$?))
(exit $rc)
wait $!
set -e
set +e
set -o pipefail
exit ${PIPESTATUS[0]}
x=$(a)
x=$(b; true)
export x=$(a)
trap 'exit 0' EXIT
trap 'exit 1' ERR
trap 'rc=$?; exit $rc' EXIT
eval 'a; b'
exec a
f
bash -c 'a; b'
bash -ec 'a; b'
return 1
break
unset rc
local rc=0
echo $(b)
set -n
true > missing/x
case $? in 0) a ;; *) exit 1 ;; esac
[ $rc -eq 0 ] || exit 1
command a
trap "exit $?" EXIT
trap "exit $rc" EXIT
until break; do :; done
while ! break; do b; done
local -
((PIPESTATUS[0] == 0))
return
return 0
""".strip().splitlines()
)
SHAPES = st.sampled_from(
    """
{0}; {1}
{0} && {1}
{0} || {1}
{0} | {1}
( {0}; {1} )
if {0}; then {1}; fi
{0} & {1}
{{ {0}; {1}; }}
for i in 1 2; do {0}; {1}; done
f() {{ {0}; {1}; }}; f
! {{ {0}; }}; {1}
if {0}; then {1}; else exit 1; fi
for i in 1 2 3; do {0} && break; done; {1}
""".strip().splitlines()
)
LINES = st.recursive(
    PIECES, lambda inner: st.builds(lambda s, a, b: s.format(a, b), SHAPES, inner, inner), max_leaves=6
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`a` and `b` leave a mark and return what the environment says."""
    folder = tmp_path_factory.mktemp("programs")
    for name in "ab":
        program = folder / name
        program.write_text(f'#!/bin/sh\necho {name} >> "$MARKS"\nexit "${name}_returns"\n')
        program.chmod(0o755)
    return folder


def ran(shell: str, text: str, folder: Path, returns: tuple[int, ...]) -> tuple[int, set[str]]:
    marks = folder / "marks"
    marks.write_text("")
    env = {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "MARKS": str(marks),
        "a_returns": str(returns[0]),
        "b_returns": str(returns[1]),
    }
    with subprocess.Popen(
        [shell, "-c", text + "\nwait"] if text.rstrip().endswith("&") else [shell, "-c", text],
        env=env,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as done:
        try:
            code = done.wait(30)
        except subprocess.TimeoutExpired:
            code = 1  # a line that does not end proves nothing
        finally:
            with suppress(ProcessLookupError):
                os.killpg(done.pid, signal.SIGKILL)  # nothing it started goes on
    return code, set(marks.read_text().split())


@settings(
    max_examples=many(150), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@pytest.mark.parametrize("shell", SHELLS)
@given(text=LINES)
def test_a_proof_holds_whatever_the_commands_return(programs: Path, shell: str, text: str):
    tree = parse(text if shell == "bash" else f"{shell} -c {shlex.quote(text)}")
    if isinstance(tree, Refused):
        return
    proven = {each.words[0].text for each in invocations(tree) if each.proven} & {"a", "b"}
    for returns in product((0, 1), repeat=2) if proven else ():
        code, marks = ran(shell, text, programs, returns)
        passed = {name for name, status in zip("ab", returns, strict=True) if status == 0}
        assert code != 0 or proven <= marks & passed
