"""`donewhen trust` and `untrust`: the user's word on a project's file, bound to its content and place."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from donewhen.core.errors import UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.commands.config import print_notes, refused
from donewhen.ui.output import complain, one_line, print_json, print_line
from donewhen.ui.words import language, t

if TYPE_CHECKING:
    from donewhen.config import Ignored, ProjectFiles


@command("trust", "help.trust")
def trust(app: App) -> None:
    from donewhen.config import trust as record

    loaded = app.config()  # a file with problems is not trusted
    project = _project()
    files = list(loaded.project_files)
    digest = loaded.digest or project.digest()
    texts = project.texts() if project.digest() == digest else {}
    new = record(digest, env=os.environ, folder=project.folder, files=files, texts=texts)
    taken = [_effect(each) for each in loaded.ignored]
    held = app.config()
    wrong = refused(held)
    if app.as_json:
        notes = [note.say(language()) for note in held.notes]
        said = {"now_in_effect": taken, "problems": wrong, "notes": notes}
        print_json({"trusted": True, "new": new, "digest": digest, "files": files, **said})
    elif not app.quiet:
        names = one_line(", ".join(files))
        print_line(t("cli.trusted" if new else "cli.trusted_already", files=names))
        if taken:
            print_line(t("cli.now_in_effect"))
        for sentence in taken:
            print_line(f"  {one_line(sentence)}")
        print_notes(app, held)
        for sentence in wrong:
            complain(f"donewhen: {one_line(sentence)}")


@command("untrust", "help.untrust")
def untrust(app: App) -> None:
    from donewhen.config import untrust as forget

    folder, files = _trusted_place()
    was = forget(env=os.environ, folder=folder)
    if app.as_json:
        print_json({"trusted": False, "was": was, "files": files})
    elif not app.quiet:
        print_line(t("cli.untrusted" if was else "cli.not_trusted", files=one_line(", ".join(files))))


def _trusted_place() -> tuple[Path, list[str]]:
    """The folder that may be trusted, and its files; one whose configuration is gone can still be."""
    from donewhen.config.trusted import trusts_any

    start = here()
    for folder in (start, *start.parents):
        if trusts_any(env=os.environ, folder=folder):
            return folder, [str(folder)]
    project = _project()
    return project.folder, [source.source for source in project.sources()]


def _project() -> "ProjectFiles":
    from donewhen.config import read_project

    project = read_project(here())
    if project is None:
        raise UserError("cli.no_project_config", folder=here())
    return project


def _effect(each: "Ignored") -> str:
    """A setting that was ignored, as it holds from now on."""
    from donewhen.config import documented_path

    value = json.dumps(each.value, ensure_ascii=False)
    return t(f"cli.effect_{each.kind}", path=documented_path(each.path), value=value)
