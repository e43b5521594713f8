"""The page of a run: one file that needs nothing else and is understood at a glance.

No script, font, picture or network; its policy allows just its own style sheet, by digest. Whatever an agent,
a repository or a program wrote is cleaned, bounded and escaped. The page has a largest size: when its budget
is used up, outputs are left out first, and the page says so.
"""

from collections.abc import Callable, Iterator, Mapping
from html import escape

from donewhen import __version__
from donewhen.core.texts import Language
from donewhen.run.reporting_model import Dossier
from donewhen.ui.reports.page import Frame, framed
from donewhen.ui.reports.plain import line
from donewhen.ui.reports.run_html_board import board
from donewhen.ui.reports.run_html_more import (
    about,
    cost,
    hooks,
    left_out,
    notes,
    promise,
    questions,
    record,
    resumed,
    timeline,
    todos,
)
from donewhen.ui.reports.run_html_story import caught, change, story
from donewhen.ui.reports.run_markup import Page, code
from donewhen.ui.reports.run_style import CSS
from donewhen.ui.reports.run_words import (
    VERDICT_MARKS,
    Words,
    brand,
    cause,
    figures,
    goal_of,
    lead,
    missing,
    next_of,
)

_SECTIONS: Mapping[str, Callable[[Dossier, Page], str]] = {  # in the order of a reader's questions
    "proofs": board,
    "attempts": story,
    "caught": caught,
    "change": change,
    "promise": promise,
    "todos": todos,
    "cost": cost,
    "questions": questions,
    "notes": notes,
    "timeline": timeline,
    "resumed": resumed,
    "hooks": hooks,
    "about": about,
    "record": record,
    "left_out": left_out,
}


def run_html(dossier: Dossier, language: Language) -> str:
    """The page, with a line end."""
    page = Page(Words(language))
    t = page.t
    title = escape(t("title", verdict=t(dossier.verdict)))
    sections = [(key, make(dossier, page)) for key, make in _SECTIONS.items()]
    shown = [(key, body) for key, body in sections if body]
    links = "".join(f'<li><a href="#{key}">{escape(t(key))}</a></li>' for key, _ in shown)
    frame = Frame(
        language,
        f"{title} · {escape(line(dossier.run, 80))}",
        CSS,
        escape(t("skip")),
        escape(t("contents")),
        escape(t("by_version", version=__version__)),
    )
    header = (*_banner(dossier, t), *_figures(dossier, t))
    return framed(frame, header, links, (_section(key, body, t) for key, body in shown))


def _banner(dossier: Dossier, t: Words) -> Iterator[str]:
    todo = next_of(dossier, t)
    word = f"{VERDICT_MARKS[dossier.verdict]} {escape(t(dossier.verdict))}"
    yield f'<div class="banner {dossier.verdict}">'
    yield f'<p class="soft">{escape(line(brand(dossier, t)))}</p>'
    yield f'<h1 class="verdict {dossier.verdict}">{word}</h1>'
    yield f'<p class="lead">{escape(line(lead(dossier, t), 600))}</p>'
    owed = missing(dossier, t)
    if owed:
        yield f"<p>{escape(line(owed, 600))}</p>"
    why = cause(dossier, t)
    if why:
        yield f'<p class="soft">{escape(line(why))}</p>'
    yield f"<p><strong>{escape(t('goal'))}:</strong> {escape(line(goal_of(dossier), 600))}</p>"
    command = f" {code(todo.shown)}" if todo.shown else ""
    yield f'<p class="next"><strong>{escape(t("next"))}:</strong> {escape(line(todo.sentence))}{command}</p>'
    yield "</div>"


def _figures(dossier: Dossier, t: Words) -> Iterator[str]:
    yield f'<dl class="figures" aria-label="{escape(t("glance"))}">'
    for each in figures(dossier, t):
        more = f"<span>{escape(each.more)}</span>" if each.more else ""
        yield f"<div><dt>{escape(t(each.name))}</dt><dd>{escape(each.value)}{more}</dd></div>"
    yield "</dl>"


def _section(key: str, body: str, t: Words) -> str:
    return f'<section aria-labelledby="{key}">\n<h2 id="{key}">{escape(t(key))}</h2>\n{body}\n</section>'
