"""Which configuration holds for a change, and what it declares as commands.

A project's file is repository content, so a change could weaken its own exam with it: where the file as it is
now is not trusted but the base's is, the base's holds.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from shlex import join
from typing import NamedTuple

from donewhen.config import Config, ConfigError, Loaded, load_config
from donewhen.config.project import OTHER, OTHER_CONTEXT, OURS
from donewhen.config.trusted import last_trusted, trusts_any
from donewhen.core.accept import Accept, Parse, read_accept
from donewhen.core.errors import UserError
from donewhen.core.profiles import Applied, profile
from donewhen.core.texts import Phrase
from donewhen.intake.parts import Parts
from donewhen.run.verifying.change import Base
from donewhen.workspace.fingerprint.fingerprints import Fingerprints
from donewhen.workspace.git.repository import Repository

_LARGEST = 1024 * 1024


class Rules(NamedTuple):
    loaded: Loaded
    notes: tuple[Phrase, ...] = ()
    also: Config | None = None  # what the base's file asked for, where nobody trusts either

    @property
    def config(self) -> Config:
        return self.loaded.config


def profile_for(name: str, rules: Rules, changed: Iterable[str]) -> Applied:
    """The profile that somebody named, else that of the configuration, for these paths."""
    section = rules.config.verification
    applied = profile(name or section.profile, changed, section.source_extensions)
    return applied._replace(chosen=bool(name) or rules.loaded.names("verification", "profile"))


def rules_for(
    now: Loaded,
    fingerprints: Fingerprints,
    base: Base,
    repository: Repository,
    env: Mapping[str, str],
    settings: Sequence[str],
) -> Rules:
    """The configuration `now`, or the base's where only that one is trusted."""
    if now.digest is not None and now.trusted:
        return Rules(now)
    then = _of_base(fingerprints, base, repository, env, settings)
    if then is not None and then.digest is not None and then.trusted and then.digest != now.digest:
        return Rules(then, (Phrase("verify.config_of_base", {"base": base.commit[:8]}),))
    if trusts_any(env=env, folder=repository.root):
        return _kept(repository, env, settings)
    also = then.config if then is not None and then.digest != now.digest else None
    if now.ignored:
        return Rules(now, (Phrase("verify.ignored_settings", {"count": len(now.ignored)}),), also)
    return Rules(now, also=also)


def _kept(repository: Repository, env: Mapping[str, str], settings: Sequence[str]) -> Rules:
    """What the user trusted last, where a change took it away: it holds until he says otherwise."""
    texts = last_trusted(env=env, folder=repository.root)
    kept = load_config(repository.root, env=env, flags=settings, project_text=texts) if texts else None
    if kept is None or not kept.trusted:
        raise UserError("verify.trusted_config_gone")
    return Rules(kept, (Phrase("verify.config_kept"),))


def _of_base(
    fingerprints: Fingerprints,
    base: Base,
    repository: Repository,
    env: Mapping[str, str],
    settings: Sequence[str],
) -> Loaded | None:
    if not base.commit or not repository.git().attempt("ls-tree", base.commit, "--", OURS, OTHER).out:
        return None
    texts: dict[str, str] = {}
    tree = fingerprints.tree(base.commit)
    for name in (OURS, OTHER, OTHER_CONTEXT):
        data = fingerprints.content(tree, name)
        if data is not None and len(data) <= _LARGEST:
            texts[name] = data.decode(errors="replace")
    try:
        return load_config(repository.root, env=env, flags=settings, project_text=texts)
    except ConfigError:
        return None  # what can't be read can't have been trusted either


def declared(config: Config, loaded: Loaded, parse: Parse) -> Parts | None:
    """The commands of the gates that the configuration declares and that are part of the exam."""
    found: list[Accept] = []
    gates = config.verification.quality.gates if config.verification.quality.enabled else ()
    if gates:
        from donewhen.verify.quality.gates.own import is_own  # brings all gates with it
    for gate in gates:
        if gate.command and not is_own(gate):
            found += _entries(gate.command, parse, _place(loaded, gate.name))
    return Parts("config", accept=tuple(found)) if found else None


def _entries(words: Sequence[str], parse: Parse, source: str) -> tuple[Accept, ...]:
    """A gate has no folder of its own: `sh -c "cd web && npm test"` is how one is written, and read back."""
    if len(words) == 3 and tuple(words[:2]) == ("sh", "-c"):
        with suppress(UserError):
            return read_accept(words[2], parse, source)
    return read_accept(join(words), parse, source)


def _place(loaded: Loaded, gate: str) -> str:
    wanted = ("verification", "quality", "gates", gate)
    origin = next((each for key, each in loaded.origins.items() if key[:4] == wanted), None)
    return str(origin.place) if origin and origin.place.source else f"gates.{gate}"
