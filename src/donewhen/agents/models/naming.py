"""From the name of a model to the model: `provider:model`, a key, an address, a protocol.

A key goes only to its own provider's address: what the configuration says about an address, a key or a
protocol is meant for the provider that it names, else for that of the first model, and for no other.
"""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from donewhen.agents.models.providers import ALIASES, PROVIDERS, Provider, Speech, provider_of, speech_of
from donewhen.core.chat import Model
from donewhen.core.errors import UserError
from donewhen.core.texts import Phrase

if TYPE_CHECKING:
    from donewhen.config.schema import Llm

_LONGEST = 300
_TAG = re.compile(r"latest|instruct|text|v?\d")  # as in `mistral:7b`, a model of Ollama's
_OLLAMA_PORT = 11434


class Named(NamedTuple):
    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


class Source(NamedTuple):
    """Where a model is had."""

    named: Named
    speech: Speech
    url: str  # empty: the library's own
    key: str
    key_name: str  # of the variable; empty when no key is sent


def parse_name(text: str, provider: str | None = None) -> Named:
    """A name as people write it; without a provider it is one of `provider`, or of whom it looks like."""
    name = text.strip()
    if not name or len(name) > _LONGEST or not name.isprintable() or " " in name:
        raise UserError("models.bad_name", name=text[:80])
    own = _known(provider) if provider else None
    before, colon, after = name.partition(":")
    named = PROVIDERS.get(ALIASES.get(before.lower(), before.lower()))
    is_tag = own is not None and own.name == "ollama" and _TAG.match(after) is not None
    if colon and named is not None and after and not is_tag:
        return Named(named.name, after)
    found = own or provider_of(name)
    if found is None:
        raise UserError("models.unknown_provider", name=name, known=", ".join(PROVIDERS))
    return Named(found.name, name)


def make_model(ref: str, settings: "Llm", env: Mapping[str, str], first: str = "") -> Model:
    """The model that a name stands for; UserError when its key or address is missing."""
    source = find_source(ref, settings, env, first)
    named = source.named
    if source.speech == "library":
        from donewhen.agents.models.library import library_model

        url = source.url or None
        return library_model(named.provider, named.model, source.key, url, settings, source.key_name)
    from donewhen.agents.models.clients import Wired

    return Wired(source, stream=settings.stream, silence=settings.timeout)


def find_source(ref: str, settings: "Llm", env: Mapping[str, str], first: str = "") -> Source:
    """Where a model is had, by the configuration and the environment.

    `first`: the model that the work begins with, where this one may be another.
    """
    named = parse_name(ref, settings.provider)
    provider = PROVIDERS[named.provider]
    own = named.provider == _main(settings, first or str(named))
    speech: Speech = speech_of(provider, named.model)
    if own and settings.protocol != "auto":
        speech = settings.protocol
    url = _address(provider, speech, settings.base_url if own else None, env)
    key, key_name = _key(provider, settings.key_env if own else None, env)
    if not key and not _goes_without(provider, url):
        raise _no_key(str(named), key_name or provider.keys[0], env)
    return Source(named, speech, url, key, key_name if key else "")


def _main(settings: "Llm", first: str) -> str:
    """The provider that the address, key and protocol of the configuration are meant for."""
    if settings.provider:
        return _known(settings.provider).name
    return parse_name(settings.model or settings.roles.execute or first).provider


def _known(provider: str) -> Provider:
    name = provider.strip().lower()
    found = PROVIDERS.get(ALIASES.get(name, name))
    if found is None:
        raise UserError("models.no_provider", name=provider[:80], known=", ".join(PROVIDERS))
    return found


def _key(provider: Provider, chosen: str | None, env: Mapping[str, str]) -> tuple[str, str]:
    """The key and the variable that holds it, or the one that should."""
    names = (chosen,) if chosen else provider.keys
    for name in names:
        key = env.get(name, "").strip()
        if key:
            if not re.fullmatch(r"[\x21-\x7e]+", key):
                raise UserError("models.bad_key", variable=name)
            return key, name
    if chosen:
        raise _no_key(provider.name, chosen, env)
    return "", names[0] if names else ""


def _no_key(model: str, variable: str, env: Mapping[str, str]) -> UserError:
    state = Phrase("models.variable_empty" if variable in env else "models.variable_unset")
    return UserError("models.no_key", model=model, variable=variable, state=state)


def _goes_without(provider: Provider, url: str) -> bool:
    from donewhen.agents.models.endpoint import is_loopback

    return not provider.needs_key or is_loopback(url)


def _address(provider: Provider, speech: Speech, given: str | None, env: Mapping[str, str]) -> str:
    told = given or next((env[name].strip() for name in provider.urls if env.get(name, "").strip()), "")
    if not told:
        if not provider.url and speech != "library":
            variable = provider.urls[0] if provider.urls else ""
            raise UserError(
                "models.no_url_or_variable" if variable else "models.no_url",
                provider=provider.name,
                variable=variable,
            )
        return provider.url
    if provider.name == "ollama" and not given:
        told = _ollama(told)
    return _completed(told, provider, speech)


def _completed(url: str, provider: Provider, speech: Speech) -> str:
    """An address with the path that its protocol begins with."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if (
        parts.scheme not in ("http", "https")
        or not host
        or parts.query
        or parts.fragment
        or not url.isprintable()
    ):
        raise UserError("models.bad_url", provider=provider.name)
    url = url.rstrip("/")
    if speech in ("anthropic", "gemini"):
        return url.removesuffix("/v1beta").removesuffix("/v1")  # is in the path of every call
    if speech == "library" or parts.path.strip("/"):
        return url
    return url + provider.path


def _ollama(host: str) -> str:
    """OLLAMA_HOST as Ollama takes it: scheme and port may be missing, `0.0.0.0` listens everywhere."""
    scheme, mark, rest = host.rpartition("://")
    if not mark:
        scheme, rest = "http", host
    place, slash, path = rest.partition("/")
    name, colon, port = place.rpartition(":")
    if not colon or not port.isdecimal():
        name, port = place, str(_OLLAMA_PORT) if not mark else ""
    name = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]", "": "127.0.0.1"}.get(name, name)  # noqa: S104
    return f"{scheme}://{name}{':' + port if port else ''}{slash}{path}"
