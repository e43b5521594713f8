"""Go, Rust and Java: by the toolchain's own options where the command is a plain call of it.

A build that is hidden behind a script is not rewritten; what it writes itself is found afterwards.
"""

from pathlib import Path

from donewhen.core.quality.coverage import Covered
from donewhen.core.quality.model import Unreadable
from donewhen.core.texts import Phrase
from donewhen.verify.exam.files import small_text
from donewhen.verify.quality.coverage.interpreters import find_program
from donewhen.verify.quality.coverage.measure_model import Job, Part
from donewhen.verify.quality.model import Missing

_GO_OWN = ("-coverprofile", "--coverprofile")
_BUILDS = {"mvn": ("pom.xml",), "gradle": ("build.gradle", "build.gradle.kts")}
_BUILDS["mvnw"], _BUILDS["gradlew"] = _BUILDS["mvn"], _BUILDS["gradle"]


def measure_go(job: Job) -> Part | None:
    argv = job.entry.argv
    if argv[:2] != ("go", "test") or any(word.partition("=")[0] in _GO_OWN for word in argv):
        return None
    report, cwd = job.desk / "go.out", job.entry.cwd
    measured = (*argv[:2], f"-coverprofile={report}", "-coverpkg=./...", *argv[2:])
    return Part("go", lambda root: _read(report, root, cwd, "Go", "go test"), argv=measured)


def measure_rust(job: Job) -> Part | Missing | None:
    argv = job.entry.argv
    if argv[:2] != ("cargo", "test"):
        return None
    if find_program("cargo-llvm-cov", job.path) is None:
        return Missing(Phrase("coverage.no_cargo"), "cargo install cargo-llvm-cov")
    report, cwd = job.desk / "rust.info", job.entry.cwd
    measured = ("cargo", "llvm-cov", "--lcov", f"--output-path={report}", *argv[2:])
    return Part(
        "cargo-llvm-cov", lambda root: _read(report, root, cwd, "Rust", "cargo llvm-cov"), argv=measured
    )


def measure_java(job: Job) -> Part | Missing | None:
    """The build writes its own report, or there is none; which tree it speaks of, its age tells."""
    from donewhen.verify.quality.coverage.reading import read_newer

    name = Path(job.entry.argv[0]).name if job.entry.argv else ""
    if name not in _BUILDS:
        return None
    if not any("jacoco" in small_text(job.folder / each) for each in _BUILDS[name]):
        return Missing(Phrase("coverage.no_jacoco"))

    def read(root: Path) -> Covered:
        covered = read_newer(root, job.since_ns)
        if not covered.files:
            raise Unreadable("coverage.nothing", languages="Java", tool="jacoco")
        return covered._replace(complete=True)

    return Part("jacoco", read)


def _read(report: Path, root: Path, cwd: str, language: str, tool: str) -> Covered:
    from donewhen.verify.quality.coverage.reading import read_report

    covered = read_report(report, root, cwd) if report.is_file() else Covered()
    if not covered.files:
        raise Unreadable("coverage.nothing", languages=language, tool=tool)
    return covered._replace(complete=True)
