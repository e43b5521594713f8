"""`donewhen models`: which models can be used here, which are configured, and what they cost."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from donewhen.ui.app import App, command
from donewhen.ui.output import paint, print_json, print_line, table
from donewhen.ui.words import t

if TYPE_CHECKING:
    from donewhen.config import Config
    from donewhen.ui.finding import Found
    from donewhen.ui.models_priced import Facts

_ROLES = ("plan", "execute", "review", "fix")


@command("models", "models_found.help")
def models(app: App) -> None:
    from donewhen.ui.finding import look_around
    from donewhen.ui.models_priced import facts_of

    config = app.config().config
    found = look_around(os.environ)
    named = list(configured(config, found))
    facts = facts_of([model for _, model in named], config, sizes=True)
    if app.as_json:
        print_json(_data(found, named, facts))
    else:
        _print(found, named, facts)


def configured(config: "Config", found: "Found") -> Iterator[tuple[tuple[str, str], str]]:
    """What models are for, and their names; where none is configured, what a run would take."""
    from donewhen.ui.making import configured_model, with_provider

    section = config.tools.llm
    if not configured_model(config) and found.usable:
        yield ("first", ""), found.usable[0].name
    if section.model:
        yield ("default", ""), with_provider(section.provider, section.model)
    for profile, model in section.by_profile.items():
        yield ("profile", profile), with_provider(section.provider, model)
    for role in _ROLES:
        if model := getattr(section.roles, role):
            yield (role, ""), with_provider(section.provider, model)
    for name, agent in config.agents.items():
        if agent.kind == "llm" and agent.model:
            yield ("agent", name), with_provider(agent.provider or section.provider, agent.model)
    for model in section.fallback:
        yield ("fallback", ""), with_provider(section.provider, model)


def _print(found: "Found", named: list[tuple[tuple[str, str], str]], facts: "dict[str, Facts]") -> None:
    from donewhen.ui.finding_text import found_lines

    for line in found_lines(found):
        print_line(line)
    print_line()
    print_line(paint(t("models_found.configured"), "bold"))
    if not named or named[0][0][0] == "first":
        print_line(f"  {t('models_found.configured_none')}")
    if not named:
        return
    head = [t(f"models_found.col_{name}") for name in ("for", "model", "price", "context")]
    for line in table(head, [(_use(*use), model, *_said(facts[model])) for use, model in named]):
        print_line(f"  {line}")


def _use(kind: str, name: str) -> str:
    return t(f"models_found.role_{kind}", profile=name, agent=name)


def _said(facts: "Facts") -> tuple[str, str]:
    key = "price" if facts.known else "price_assumed"
    price = t(f"models_found.{key}", input=f"{facts.input:g}", output=f"{facts.output:g}")
    return price, str(facts.context) if facts.context else t("models_found.unknown")


def _data(
    found: "Found", named: list[tuple[tuple[str, str], str]], facts: "dict[str, Facts]"
) -> dict[str, Any]:
    from donewhen.ui.finding_text import found_data

    rows = [
        {"for": kind, "name": name or None, "model": model, **facts[model]._asdict()}
        for (kind, name), model in named
    ]
    return {"found": found_data(found), "configured": rows}
