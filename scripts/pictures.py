"""`make pictures`: the demo's report and its live view as pictures for the README.

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
from html import escape
from pathlib import Path

from donewhen.core.events import Event
from donewhen.core.ids import seconds
from donewhen.run.panel import PanelFold
from donewhen.store import open_store, resolve
from donewhen.ui.live_frame import Row, Span, cut, frame
from donewhen.ui.live_lines import Steps, note_masked
from donewhen.ui.output import width

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
LARGEST = 300_000  # bytes of a picture
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
COLUMNS, LINES = 104, 30
PAGE = (1040, 1700)  # pixels
NBSP = "\u00a0"  # viewers of SVG collapse other blanks
_CELL = (8.4, 19.0)  # of a character
_EDGE = 18.0
_COLOURS = {"red": "#ff8a80", "green": "#6fd39a", "yellow": "#f2b544", "cyan": "#6cc7e6", "dim": "#8b96a3"}
_LOG_COLOURS = {"◐": "yellow", "✗": "red", "✓": "green", "▸": "cyan", "!": "yellow", "↩": "yellow"}


def main() -> int:
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        print(
            f"no browser is installed here (looked for {', '.join(BROWSERS)}); install one", file=sys.stderr
        )
        return 5
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pictures-") as name:
        home = Path(name)
        folder = _play(home)
        (PICTURES / "live.svg").write_text(_svg(_rows(_events(folder / "intact"))))
        _photograph(browser, _page(folder, home), PICTURES / "report.png", home)
    return _judge([PICTURES / "live.svg", PICTURES / "report.png"])


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


def _svg(rows: Sequence[Row]) -> str:
    wide = COLUMNS * _CELL[0] + 2 * _EDGE
    high = len(rows) * _CELL[1] + 2 * _EDGE + 22
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
        f'viewBox="0 0 {wide:.0f} {high:.0f}" role="img">',
        "<title>donewhen run: the live view in the middle of the demo</title>",
        f'<rect width="{wide:.0f}" height="{high:.0f}" rx="8" fill="#14181d"/>',
        *(
            f'<circle cx="{_EDGE + 4 + number * 18:.0f}" cy="18" r="5" fill="#333c47"/>'
            for number in range(3)
        ),
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" '
        'font-size="14" fill="#e7ebf0">',
    ]
    for number, row in enumerate(rows):
        lines += _spans(row, _EDGE + 36 + number * _CELL[1])
    return "\n".join([*lines, "</g>", "</svg>"]) + "\n"


def _spans(row: Row, y: float) -> list[str]:
    """Each piece of a row at its column, as wide as a terminal would make it."""
    found, column = [], 0
    for span in row:
        columns = width(span.text)
        if span.text.strip():
            styles = span.style.split()
            colour = next((f' fill="{_COLOURS[style]}"' for style in styles if style in _COLOURS), "")
            bold = ' font-weight="bold"' if "bold" in styles else ""
            x, length = _EDGE + column * _CELL[0], columns * _CELL[0]
            found.append(
                f'<text x="{x:.1f}" y="{y:.1f}" textLength="{length:.1f}" lengthAdjust="spacingAndGlyphs"'
                f"{colour}{bold}>{escape(span.text).replace(' ', NBSP)}</text>"
            )
        column += columns
    return found


if __name__ == "__main__":
    sys.exit(main())
