"""No reader fails, whatever a program is given: a failure would be asked about, but tells nobody anything."""

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from donewhen.guard import Bounds, Guard
from donewhen.guard.call import Call, Nested
from donewhen.guard.cases import GROUND
from donewhen.guard.disk import RealDisk
from donewhen.guard.effects import Effect, Unknown
from donewhen.guard.ground import Ground
from donewhen.guard.marks import BELOW, ENVIRONMENT, HOLE, NETWORK, SECRET, STAR
from donewhen.guard.patience import MOST_NAMES
from donewhen.guard.programs import outputs, readers
from donewhen.guard.programs.index import NAMES
from tests.tables import table_test

ODD = (
    (),
    ("",),
    ("-",),
    ("--",),
    ("--", "--"),
    ("--help",),
    ("-x", "=", "-=", "--=x", "=y"),
    ("-e", "-c", "-f", "-o", "-C", "-i"),
    ("-ecfoCi",),
    ("a", "b", "c", "d", "e", "f", "g"),
    ("run", "exec", "config", "set", "get", "rm", "push"),
    (HOLE, STAR, BELOW),
    (f"-{HOLE}", f"--x={SECRET}", f"{NETWORK}:{ENVIRONMENT}"),
    ("ünïcödé", "\u202e", "\n", "'", '"', "$(", "`", "{}", "\\"),
    (":", "::", "a:b", "a:b:c", "@", "@x", "x@", "//", "http://", "https://[", "file:///", "user@host:"),
    ("0", "-1", "1e9", "999999999999999999999", "٣"),
)


KNOWN = {*get_args(Effect), *get_args(Nested)}


def said(name, arguments, stdin):
    """The kinds of what the reader yields."""
    return set(map(type, readers()[name](Call((name, *arguments), GROUND, GROUND.folder, {}, stdin))))


@table_test("family", NAMES)
def test_readers_take_any_arguments(family):
    for name in NAMES[family].split():
        for arguments in ODD:
            for stdin in (None, "", HOLE, "\n\n", "{[("):
                assert said(name, arguments, stdin) <= KNOWN


def test_what_is_printed_can_be_told_for_any_arguments():
    for name, output in outputs().items():
        for arguments in ODD:
            for stdin in (None, "", HOLE, "a b\nc", "{[("):
                assert isinstance(output(Call((name, *arguments), GROUND, GROUND.folder, {}, stdin)), str)


_WORDS = st.one_of(st.sampled_from([word for words in ODD for word in words]), st.text(max_size=12))


@given(
    st.sampled_from(sorted(readers())),
    st.lists(_WORDS, max_size=6),
    st.one_of(st.none(), st.text(max_size=40)),
)
def test_readers_survive_what_nobody_thought_of(name, arguments, stdin):
    assert said(name, arguments, stdin) <= KNOWN


@given(st.sampled_from(sorted(readers())), st.lists(st.text("-=abcx./:@~*{}$'\" \n", max_size=8), max_size=5))
def test_no_line_breaks_the_walk(name, arguments):
    effects = [one.effect for one in Guard(GROUND).argv((name, *arguments)).effects]
    assert "guard.broken" not in [effect.what for effect in effects if isinstance(effect, Unknown)]


def test_thousands_of_globs_in_a_large_folder_end_with_an_answer(tmp_path) -> None:
    for number in range(600):
        (tmp_path / f"f{number}").touch()
    disk = _Counting()
    ground = Ground(str(tmp_path), str(tmp_path), "/home/dev", disk=disk)
    guard = Guard(ground, Bounds(disallowed_scope=("vendor/**", "*.md")))
    assert guard.command("rm -rf " + " ".join(f"f*{number}" for number in range(900))).action == "allow"
    assert disk.handed_out < 2 * MOST_NAMES


class _Counting(RealDisk):
    handed_out = 0

    def names(self, folder: str) -> tuple[str, ...] | None:
        found = super().names(folder)
        self.handed_out += len(found or ())
        return found
