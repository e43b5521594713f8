"""`donewhen trust` and `untrust`: the user's word on a project's configuration, bound to its content."""

import os
from pathlib import Path

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command
from donewhen.ui.output import print_json, print_line
from donewhen.ui.words import t


@command("trust", "help.trust")
def trust(app: App) -> None:
    from donewhen.config import trust as record

    digest, files = _project()
    new = record(digest, env=os.environ, files=files)
    if app.as_json:
        print_json({"trusted": True, "new": new, "digest": digest, "files": files})
    elif not app.quiet:
        print_line(t("cli.trusted" if new else "cli.trusted_already", files=", ".join(files)))


@command("untrust", "help.untrust")
def untrust(app: App) -> None:
    from donewhen.config import untrust as forget

    digest, files = _project()
    was = forget(digest, env=os.environ)
    if app.as_json:
        print_json({"trusted": False, "was": was, "digest": digest, "files": files})
    elif not app.quiet:
        print_line(t("cli.untrusted" if was else "cli.not_trusted", files=", ".join(files)))


def _project() -> tuple[str, list[str]]:
    from donewhen.config import read_project

    project = read_project(Path.cwd())
    if project is None:
        raise UserError("cli.no_project_config", folder=Path.cwd())
    return project.digest(), [source.source for source in project.sources()]
