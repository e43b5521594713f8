"""`make pictures`: the demo's report and its live view, and blocked stops of other agents, as pictures.

Usage: pictures.py [blocked]; with the word, only the pictures of clients that are installed here.

Plays the demo in a folder of its own with nothing of the user's in it. The live view is the frame that the
terminal would show in the middle of the run, drawn as SVG; the report is photographed by a browser that is
installed here already (Chromium or Chrome), from a file and without network. Without one it says so: exit 5.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from donewhen.core.events import Event
from donewhen.core.ids import seconds
from donewhen.run.panel import PanelFold
from donewhen.store import open_store, resolve
from donewhen.ui.live_frame import Row, Span, cut, frame
from donewhen.ui.live_lines import Steps, note_masked
from scripts.blocked import draw_blocked
from scripts.drawing import svg

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
LARGEST = 300_000  # bytes of a picture
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COLUMNS, LINES = 104, 30
PAGE = (1040, 1700)  # pixels
TITLE = "donewhen run: the live view in the middle of the demo"
_LOG_COLOURS = {"◐": "yellow", "✗": "red", "✓": "green", "▸": "cyan", "!": "yellow", "↩": "yellow"}


def main(words: Sequence[str]) -> int:
    PICTURES.mkdir(parents=True, exist_ok=True)
    if list(words) == ["blocked"]:
        return _judge(draw_blocked(PICTURES))
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        print(
            f"no browser is installed here (looked for {', '.join(BROWSERS)}); install one", file=sys.stderr
        )
        return 5
    with tempfile.TemporaryDirectory(prefix="pictures-") as name:
        home = Path(name)
        folder = _play(home)
        (PICTURES / "live.svg").write_text(svg(_rows(_events(folder / "intact")), TITLE, COLUMNS))
        _photograph(browser, _page(folder, home), PICTURES / "report.png", home)
    return _judge([PICTURES / "live.svg", PICTURES / "report.png", *draw_blocked(PICTURES)])


def _judge(pictures: Iterable[Path]) -> int:
    for picture in pictures:
        size = picture.stat().st_size
        print(f"{picture.relative_to(PICTURES.parents[1])}: {size} bytes")
        if size > LARGEST:
            print(f"{picture.name} is larger than {LARGEST} bytes", file=sys.stderr)
            return 1
    return 0


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C.UTF-8"}


def _play(home: Path) -> Path:
    """The folder that the demo leaves: the repository and the state of its run."""
    words = [sys.executable, "-m", "donewhen", "demo", "--keep", "--json"]
    done = subprocess.run(
        words, env=_environment(home), cwd=home, capture_output=True, text=True, timeout=300, check=True
    )
    return Path(json.loads(done.stdout)["folder"])


def _page(folder: Path, home: Path) -> Path:
    page = home / "report.html"
    words = [sys.executable, "-m", "donewhen", "report", "last", "--html", "--output", str(page)]
    env = _environment(home) | {
        "DONEWHEN_STATE_DIR": str(folder / "intact"),
        "DONEWHEN_CONFIG_DIR": str(folder / "config"),
        "DONEWHEN_CACHE_DIR": str(folder / "cache"),
    }
    subprocess.run(words, env=env, cwd=folder / "shop", timeout=120, check=True)
    return page


def _photograph(browser: str, page: Path, picture: Path, home: Path) -> None:
    words = [
        browser,
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--no-first-run",
        "--disable-extensions",
        "--disable-background-networking",
        f"--user-data-dir={home / 'browser'}",
        f"--window-size={PAGE[0]},{PAGE[1]}",
        f"--screenshot={picture}",
    ]
    if os.geteuid() == 0:  # a browser of the superuser has no sandbox of its own; the page is ours
        words.append("--no-sandbox")
    done = subprocess.run(
        [*words, page.as_uri()],
        env=_environment(home),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode or not picture.is_file():
        raise SystemExit(f"{browser} made no picture: {done.stderr[-2000:]}")


def _events(state: Path) -> list[Event]:
    with open_store("user", state=state, folder=state, create=False) as opened:
        return list(opened.store.read(resolve(opened, "last")))


def _rows(events: Sequence[Event]) -> list[Row]:
    """The terminal while the harness runs the exam that the run will pass: the log, a line, the live part."""
    exams = [event.seq for event in events if event.type == "command_started" and event.body.by == "harness"]
    last = exams[-1]
    fold, steps, log = PanelFold(), Steps(), []
    now = 0.0
    for event in events:
        if event.seq > last:
            break
        now = seconds(event.at)
        fold.take(event.body, event.seq, now)
        note_masked(steps, fold, event.body)
        if event.type != "workspace_opened":  # it names a folder of this machine
            log += [each for each in steps.line(event.body).split("\n") if each.strip()]
    live = list(frame(fold.panel, now + 0.6, COLUMNS, LINES))
    room = LINES - len(live) - 1
    told = [_logged(cut(each, COLUMNS - 1)) for each in log[-room:]]
    return [*told, (Span("─" * (COLUMNS - 1), "dim"),), *live]


def _logged(line: str) -> Row:
    mark = line.strip()[:1]
    start = len(line) - len(line.lstrip())
    colour = _LOG_COLOURS.get(mark, "")
    return (Span(line[:start]), Span(line[start : start + 1], colour), Span(line[start + 1 :]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
