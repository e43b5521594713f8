"""What every command gets: its common options, the configuration and the store."""

import json
import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import SetupError
from donewhen.ui.help import Command, Group
from donewhen.ui.hiding import remember
from donewhen.ui.output import complain
from donewhen.ui.words import t, use

if TYPE_CHECKING:
    from donewhen.config import Loaded
    from donewhen.store import Opened


def here() -> Path:
    """The working folder; it may be gone."""
    try:
        return Path.cwd()
    except OSError:
        raise SetupError("cli.no_cwd") from None


class App(NamedTuple):
    quiet: bool
    verbose: bool
    as_json: bool
    settings: tuple[str, ...]

    def config(self) -> "Loaded":
        from donewhen.config import load_config

        loaded = load_config(here(), env=os.environ, flags=self.settings)
        use(loaded.config.language)
        remember(loaded.config)
        self.detail(t("cli.read_files", files=", ".join(loaded.files) or t("cli.defaults_only")))
        return loaded

    def with_profile(self, name: str | None) -> "App":
        """With this profile, as if the configuration named it (`--profile`)."""
        return self._replace(settings=(*self.settings, f"verification.profile={name}")) if name else self

    def requiring(self, gates: tuple[str, ...]) -> "App":
        """With these gates required, as if the configuration listed them so (`--gate`)."""
        if not gates:
            return self
        from donewhen.config.sections_verify import GATE_ALIASES

        listed = {gate.name: gate for gate in self.config().config.verification.quality.gates}
        names = dict.fromkeys(GATE_ALIASES.get(name, name) for name in gates)
        known = {n: listed[n].model_dump(mode="json", exclude_defaults=True) for n in names if n in listed}
        entries = json.dumps([{"name": name, **known.get(name, {}), "required": True} for name in names])
        more = ("verification.quality.enabled=true", f"verification.quality.gates={entries}")
        return self._replace(settings=(*self.settings, *more))

    def open(self, *, create: bool = False) -> "Opened":
        """The configured store; reading one that is not there yet leaves no trace."""
        from donewhen.config.paths import state_folder
        from donewhen.config.secret_names import secret_names
        from donewhen.secrets.redact import Redactor
        from donewhen.store import open_store

        config = self.config().config
        opened = open_store(
            config.store.url,
            state=state_folder(os.environ),
            folder=here(),
            redactor=Redactor.from_environment(os.environ, secret_names(config)),
            create=create,
        )
        self.detail(t("cli.opened_store", path=opened.path))
        return opened

    def note(self, text: str) -> None:
        """Something a person may want to know; never on stdout."""
        if not self.quiet:
            complain(text)

    def detail(self, text: str) -> None:
        """Something that only `-v` wants to know."""
        if self.verbose:
            complain(text)


_COMMON = (
    click.option("--debug", is_flag=True, expose_value=False, help=t("help.debug")),
    click.option("--set", "settings", multiple=True, metavar="KEY=VALUE", help=t("help.set")),
    click.option("--verbose", "-v", is_flag=True, help=t("help.verbose")),
    click.option("--quiet", "-q", is_flag=True, help=t("help.quiet")),
    click.option("--json", "as_json", is_flag=True, help=t("help.json")),
)


def command(
    name: str, help_key: str, group: Group | None = None
) -> Callable[[Callable[..., Any]], click.Command]:
    """A command that is handed an App, with the options that all commands share."""

    def decorate(function: Callable[..., Any]) -> click.Command:
        @wraps(function)
        def run(*, quiet: bool, verbose: bool, as_json: bool, settings: tuple[str, ...], **own: Any) -> Any:
            return function(App(quiet, verbose, as_json, settings), **own)

        wrapped: Any = run
        for option in _COMMON:
            wrapped = option(wrapped)
        made = click.command(name, cls=Command, help=t(help_key))(wrapped)
        if group:
            group.add_command(made)
        return made

    return decorate
