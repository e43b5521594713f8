"""What could do the work here, as one screen for people and as data for machines."""

from collections.abc import Iterable, Iterator
from typing import Any

from donewhen.agents.clients.known import KNOWN
from donewhen.ui.finding import LOCAL, Choice, Found, Offer
from donewhen.ui.output import complain, one_line, pad, paint, print_json, width, wrap
from donewhen.ui.words import t

_MORE = 8  # models of Ollama that are named beside the first


def found_lines(found: Found) -> Iterator[str]:
    """Usable now, usable with a key, not found."""
    yield paint(t("models_found.title"), "bold")
    yield f"  {t('models_found.usable')}"
    if not found.installed:
        yield f"    {t('models_found.package')}"
    rows = [*_usable_rows(found), *_nearly_rows(found)]
    columns = max((width(name) for name, _ in rows), default=0)
    for name, why in rows:
        yield f"    {pad(name, columns)}  {why}"
    if not rows and found.installed:
        yield f"    {t('models_found.usable_none')}"
    yield from _wrapped(
        f"  {t('models_found.needs_key')}{t('models_found.colon')}{', '.join(map(_with_key, _locked(found)))}"
    )
    yield from _local_lines(found)
    yield from _program_lines(found)


def _usable_rows(found: Found) -> Iterator[tuple[str, str]]:
    for number, choice in enumerate(found.usable, 1):
        yield f"{number} {choice.name}", why(choice)


def why(choice: Choice) -> str:
    """Why a model can be used."""
    if choice.provider == LOCAL:
        return t("models_found.by_ollama", address=choice.source)
    return t("models_found.by_key", variable=choice.source)


def _nearly_rows(found: Found) -> Iterator[tuple[str, str]]:
    """Keys that are set and still give no model to begin with."""
    for offer in found.offers:
        if offer.found and offer.needs:
            yield f"- {offer.provider}", t("models_found.set_needs_package", variable=offer.found)
        elif offer.found and not offer.model:
            values = {"variable": offer.found, "provider": offer.provider}
            yield f"- {offer.provider}", t("models_found.set_no_default", **values)


def _locked(found: Found) -> list[Offer]:
    return [offer for offer in found.offers if not offer.found]


def _with_key(offer: Offer) -> str:
    return f"{offer.provider} ({t('models_found.or').join(offer.variables)})"


def _local_lines(found: Found) -> Iterator[str]:
    ollama = found.ollama
    if ollama.standing == "answers" and ollama.best:
        others = [model.name for model in ollama.models if model.name != ollama.best]
        if others:
            yield from _wrapped(f"  {t('models_found.ollama_more', models=_named(others))}")
        return
    if ollama.models:
        names = _named(model.name for model in ollama.models)
        said = t("models_found.ollama_unsure", address=ollama.address, models=names)
        yield from _wrapped(f"  {said}")
        return
    key = "ollama_empty" if ollama.standing == "answers" else f"ollama_{ollama.standing}"
    said = t(f"models_found.{key}", address=ollama.address)
    yield from _wrapped(f"  {t('models_found.not_found')}{t('models_found.colon')}{said}")


def _named(models: Iterable[str]) -> str:
    names = list(models)
    return ", ".join(names[:_MORE]) + (" …" if len(names) > _MORE else "")


def _program_lines(found: Found) -> Iterator[str]:
    if found.programs:
        names = ", ".join(program.name for program in found.programs)
        yield from _wrapped(f"  {t('models_found.programs', names=names)}")
    else:
        said = t("models_found.no_programs", names=", ".join(KNOWN))
        yield from _wrapped(f"  {t('models_found.not_found')}{t('models_found.colon')}{said}")


def _wrapped(text: str) -> list[str]:
    return wrap(text, "    ")


def found_data(found: Found) -> dict[str, Any]:
    """Names only: no value of a variable is in it."""
    return {
        "usable": [{"model": each.name, "source": each.source} for each in found.usable],
        "providers": [
            {
                "provider": offer.provider,
                "model": offer.model or None,
                "variables": list(offer.variables),
                "set": offer.found or None,
                "needs": offer.needs or None,
            }
            for offer in found.offers
        ],
        "ollama": {
            "standing": found.ollama.standing,
            "address": found.ollama.address,
            "models": [model._asdict() for model in found.ollama.models],
        },
        "programs": [{"name": program.name, "path": one_line(program.path)} for program in found.programs],
        "installed": found.installed,
    }


def _ollama_step(found: Found) -> str:
    """What one does about Ollama, which may be running already."""
    ollama = found.ollama
    if ollama.models:
        return t("models_found.none_ollama_named", model=ollama.models[0].name)
    return t("models_found.none_ollama_pull" if ollama.standing == "answers" else "models_found.none_ollama")


def refuse(found: Found, *, as_json: bool) -> int:
    """Nothing can be used: what was looked for and what to do, on one screen; the exit code."""
    first = next((offer.variables[0] for offer in found.offers), "")
    steps = (
        t("models_found.none_key", variable=first),
        _ollama_step(found),
        t("models_found.none_script"),
    )
    complain(f"donewhen: {t('models_found.none_head')}")
    for line in (*list(found_lines(found))[1:], t("models_found.none_do"), *(f"  {step}" for step in steps)):
        complain(line)
    if as_json:
        error = {"key": "models_found.none", "message": t("models_found.none"), "exit": 2}
        print_json({"error": error, "found": found_data(found), "next": list(steps)})
    return 2
