"""Telling people that key figures miss their targets, as they are told about runs; no ledger is written."""

import asyncio
import hashlib
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from donewhen.core.codec import dumps, freeze
from donewhen.core.errors import DonewhenError, SetupError
from donewhen.core.ids import stamp
from donewhen.core.targets import Figure
from donewhen.ui.app import here
from donewhen.ui.output import complain, one_line
from donewhen.ui.stats_figures import figures_data, names_of, target_of, value_of
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from pathlib import Path

    from donewhen.config.sections_guard import Notify
    from donewhen.run.notifying.model import Notice


def tell_missed(section: "Notify", figures: Sequence[Figure]) -> None:
    """What goes wrong is told and changes nothing else: the figures are missed either way."""
    from donewhen.core.texts import say
    from donewhen.run.notifying.sending import load_notifiers, notify, wanted

    missed = [one for one in figures if one.verdict == "missed"]
    if not missed or not wanted(section, "figures"):
        return
    try:
        notifiers = load_notifiers(section, _folder(), os.environ)
    except DonewhenError as error:
        complain(error.say(language()))
        return
    for name, sent in asyncio.run(notify(notifiers, _notice(missed), _nowhere, _nowhere)):
        if not sent.ok:
            why = say(sent.problem.key, language(), **sent.problem.values) if sent.problem else "–"
            complain(t("stats.not_told", name=one_line(name), why=one_line(why)))


def _notice(missed: Sequence[Figure]) -> "Notice":
    """Its key is the same for the same figures on one day, so that who hears it twice can tell."""
    from donewhen.run.notifying.model import Notice

    data = figures_data(missed)
    day = stamp(time.time())[:10]
    digest = hashlib.sha256(dumps(data).encode()).hexdigest()[:16]
    lines = [
        t(
            "stats.notice_line",
            name=t(f"stats.{one.name}"),
            value=value_of(one),
            target=target_of(one),
            runs=one.runs,
        )
        for one in missed
    ]
    title = t("stats.notice", names=names_of(missed, "missed"))
    return Notice("figures", "", f"stats:{day}:{digest}", title, "\n".join(lines), freeze({"missed": data}))


def _folder() -> "Path":
    """Where relative programs are looked for: as for runs, the repository that one stands in."""
    from donewhen.workspace.git.repository import find_repository

    try:
        return find_repository(here(), os.environ).root
    except SetupError:
        return here()


def _nowhere(_: object) -> None:
    """There is no run whose ledger could hold it."""
