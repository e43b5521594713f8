"""`code_generate` while somebody else works on the same files: their work is neither overwritten nor undone."""

import asyncio
from collections.abc import Callable

from donewhen.core.chat import Reply
from donewhen.tools.code_generate import CodeGenerate, GenerateArguments
from donewhen.tools.model import ToolResult
from tests.tools.files.bench import Bench

TOO_LARGE = "x" * (11 * 1024 * 1024)


def nothing() -> None:
    pass


def generate(
    bench: Bench,
    files: dict[str, str],
    meanwhile: Callable[[], object] = nothing,
    redact: Callable[[str], str] = str,
) -> ToolResult:
    """The tool with a model that answers these files; `meanwhile` is what others do while it thinks."""

    async def ask(instructions: str, request: str) -> tuple[Reply, str]:
        meanwhile()
        return Reply(text="\n".join(f"```path={path}\n{text}\n```" for path, text in files.items())), "m"

    wish = GenerateArguments(spec="x", paths=list(files))
    return asyncio.run(CodeGenerate(ask).execute(wish, bench.context._replace(redact=redact)))


def held(bench: Bench) -> dict[str, str]:
    return {path.name: path.read_text() for path in bench.root.glob("*.py")}


def test_a_file_that_changed_while_the_model_wrote_is_left_alone(bench: Bench):
    (bench.root / "a.py").write_text("A = 1\n")

    def edits() -> None:
        (bench.root / "a.py").write_text("A = 1\nMINE = True\n")

    done = generate(bench, {"new.py": "N = 1", "a.py": "A = 2"}, edits)
    assert (done.ok, "`a.py` changed meanwhile" in done.error) == (False, True), done
    assert held(bench) == {"a.py": "A = 1\nMINE = True\n"}


def test_a_file_that_somebody_made_meanwhile_is_left_alone(bench: Bench):
    (bench.root / "a.py").write_text("A = 1\n")

    def makes() -> None:
        (bench.root / "b.py").write_text("# mine\n")

    done = generate(bench, {"a.py": "A = 2", "b.py": "B = 2"}, makes)
    assert (done.ok, "`b.py` changed meanwhile" in done.error) == (False, True), done
    assert held(bench) == {"a.py": "A = 1\n", "b.py": "# mine\n"}


def test_a_file_that_somebody_removed_meanwhile_stays_away(bench: Bench):
    (bench.root / "a.py").write_text("A = 1\n")
    done = generate(bench, {"a.py": "A = 2"}, (bench.root / "a.py").unlink)
    assert (done.ok, held(bench)) == (False, {})


def test_what_this_call_wrote_is_taken_back_when_a_later_file_fails(bench: Bench):
    (bench.root / "a.py").write_text("A = 1\n")
    (bench.root / "a.py").chmod(0o750)
    done = generate(bench, {"a.py": "A = 2", "new.py": "N = 1", "big.py": TOO_LARGE})
    assert not done.ok
    assert held(bench) == {"a.py": "A = 1\n"}
    assert (bench.root / "a.py").stat().st_mode & 0o777 == 0o750


def test_what_somebody_made_of_a_written_file_is_not_taken_back(bench: Bench):
    (bench.root / "a.py").write_text("A = 1\n")
    mine = {"a.py": "A = 2\nMINE = True\n", "new.py": "# mine\n"}

    def redact(text: str) -> str:
        """Called with what is said of each file, once that is written."""
        for name, content in mine.items():
            if text.startswith(("created", "wrote")) and name in text:
                (bench.root / name).write_text(content)
        return text

    done = generate(bench, {"a.py": "A = 2", "new.py": "N = 1", "big.py": TOO_LARGE}, redact=redact)
    assert not done.ok
    assert held(bench) == mine


def test_a_file_that_failed_and_was_never_written_is_not_removed(bench: Bench):
    (bench.root / "big.py").write_text("# mine\n")
    done = generate(bench, {"new.py": "N = 1", "big.py": TOO_LARGE})
    assert (done.ok, held(bench)) == (False, {"big.py": "# mine\n"})
