"""`donewhen init`: look round the project, write a commented configuration, say what was found.

Nothing is run and nothing is overwritten. Who lets us write a file trusts it: exactly that content, and only
when it came from the survey; a copied file asks for `donewhen trust`.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from donewhen.core.errors import SetupError, UserError
from donewhen.ui.app import App, command, here
from donewhen.ui.output import one_line, paint, print_json, print_line
from donewhen.ui.words import language, t, use

if TYPE_CHECKING:
    from donewhen.intake.survey import Survey
    from donewhen.intake.survey_config import Value
    from donewhen.ui.finding import Found
    from donewhen.workspace.git.repository import Repository

_USUAL = ("main", "master", "trunk")


class _Made(NamedTuple):
    """The file that is to be written, and where it comes from."""

    root: Path
    data: bytes
    found: "Survey | None" = None
    copied: Path | None = None
    backup: Path | None = None
    trusted: bool = False
    git: bool = True
    models: "Found | None" = None
    model: str = ""  # that was chosen

    @property
    def proves(self) -> bool:
        return self.found is None or bool(self.found.tests)

    @property
    def next(self) -> str:
        if self.copied and not self.trusted:
            return "donewhen trust"
        return "donewhen verify" if self.proves else "donewhen verify --accept CMD"


@command("init", "help.init")
@click.option("--force", is_flag=True, help=t("init.opt_force"))
@click.option("--dry-run", is_flag=True, help=t("init.opt_dry_run"))
@click.option("--from", "source", default="", metavar="REPO|FILE", help=t("init.opt_from"))
@click.option("--no-trust", is_flag=True, help=t("init.opt_no_trust"))
@click.option("--model", default="", metavar="PROVIDER:MODEL", help=t("models_found.opt_init_model"))
def init(app: App, force: bool, dry_run: bool, source: str, no_trust: bool, model: str) -> None:
    from donewhen.intake.survey_file import refuse_if_configured, write_config

    _speak(app)
    repository = _repository(app)
    root = repository.root if repository else here()
    wanted = _named(model, source)
    if not dry_run and not force:
        refuse_if_configured(here(), root)
    made = _copied(source, root) if source else _with_model(app, _surveyed(root, repository), wanted)
    made = made._replace(git=repository is not None)
    if not dry_run:
        written = write_config(root, made.data, force=force)
        trusted = not source and not no_trust and _trusted(app, made)
        made = made._replace(backup=written.backup, trusted=trusted)
    _print(app, made, dry_run=dry_run)


def _speak(app: App) -> None:
    """The user's language and flags; the project's own file may be broken, that is why it is replaced."""
    from donewhen.config import load_config

    use(load_config(here(), env=os.environ, flags=app.settings, project_text={}).config.language)


def _repository(app: App) -> "Repository | None":
    from donewhen.workspace.git.repository import find_repository

    try:
        return find_repository(here(), os.environ)
    except SetupError as error:
        if error.key != "git.no_repository":
            raise  # a repository that can't be used is no place for a configuration
        app.note(error.say(language()))
        return None


def _named(model: str, source: str) -> str:
    """The model that was asked for; told before anything is looked at."""
    from donewhen.ui.finding_names import full_name

    if model and source:
        raise UserError("models_found.copied_and_model")
    return full_name(model) if model else ""


def _with_model(app: App, made: _Made, wanted: str) -> _Made:
    """The model that runs are to use: the one that was asked for, else the first that can be used here."""
    from donewhen.ui.finding import look_around
    from donewhen.ui.finding_asking import ask_for_model
    from donewhen.ui.finding_file import model_lines

    found = look_around(os.environ)
    chosen = wanted or ask_for_model(found, alone=app.as_json or app.quiet)
    text = "\n".join(("", *model_lines(found, chosen, language()))) + "\n"
    return made._replace(data=made.data + text.encode(), models=found, model=chosen)


def _copied(source: str, root: Path) -> _Made:
    from donewhen.intake.survey_file import copied_config

    path, data = copied_config(source, here())
    return _Made(root, data, copied=path)


def _surveyed(root: Path, repository: "Repository | None") -> _Made:
    from donewhen.commands import parse
    from donewhen.intake.survey import survey
    from donewhen.intake.survey_config import config_text, project_name
    from donewhen.project.folder import Folder
    from donewhen.workspace.git.runner import names

    tracked = None
    if repository:
        listed = repository.git().run("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        tracked = list(dict.fromkeys(names(listed)))
    found = survey(root, tracked)
    text = config_text(found, project_name(Folder(root)), _branch(repository), parse, language())
    return _Made(root, text.encode(), found)


def _branch(repository: "Repository | None") -> "Value":
    """The branch that changes go to, as far as the repository tells."""
    from donewhen.intake.survey_config import Value

    if repository is None:
        return Value("", "")
    ran = repository.git().attempt("symbolic-ref", "--quiet", "refs/remotes/origin/HEAD")
    head = os.fsdecode(ran.out).strip().removeprefix("refs/remotes/origin/") if ran.exit == 0 else ""
    usual = next((name for name in _USUAL if repository.commit(f"refs/heads/{name}")), "")
    for name, source in ((head, "origin/HEAD"), (usual, "git branch"), (repository.branch, "HEAD")):
        if name and name.isprintable():
            return Value(name, source)
    return Value("", "")


def _trusted(app: App, made: _Made) -> bool:
    """Whether trust could be recorded; the file is there either way, and what is left to do is said."""
    try:
        return _trust(made)
    except SetupError as error:
        app.note(error.say(language()))
        return False


def _trust(made: _Made) -> bool:
    """Record trust in what was written, unless something else lies there by now."""
    from donewhen.config import read_project, trust

    project = read_project(made.root)
    if project is None or project.config.data != made.data or len(project.sources()) != 1:
        return False
    files = [project.config.source]
    trust(project.digest(), env=os.environ, folder=project.folder, files=files, texts=project.texts())
    return True


def _print(app: App, made: _Made, *, dry_run: bool) -> None:
    from donewhen.ui.init_text import print_survey

    if app.as_json:
        print_json(_data(made, dry_run=dry_run))
        return
    if dry_run:
        print_line(made.data.decode(errors="replace").removesuffix("\n"))
    elif made.found and not app.quiet:
        print_survey(made.found, str(made.root), language(), verbose=app.verbose)
        print_line()
        _print_models(made)
    if not dry_run:
        _print_written(app, made)
    if not made.proves:
        app.note(t("init.no_tests"))


def _print_models(made: _Made) -> None:
    from donewhen.ui.finding_text import found_lines

    if made.models:
        for line in found_lines(made.models):
            print_line(line)
        print_line()


def _print_written(app: App, made: _Made) -> None:
    path = one_line(_target(made))
    said = (
        t("init.copied", path=path, source=one_line(made.copied))
        if made.copied
        else t("init.wrote", path=path)
    )
    print_line(paint(said, "green"))
    if made.model and not app.quiet:
        print_line(t("models_found.wrote", model=made.model))
    if made.model:
        _warn_of_key(app, made.model)
    if made.backup:
        print_line(t("init.backup", path=one_line(made.backup)))
    if not app.quiet:
        print_line(t("init.trusted" if made.trusted else "init.not_trusted"))
        if made.git and made.model:
            print_line(t("models_found.commit_it"))
        print_line(t("init.next", command=made.next))


def _warn_of_key(app: App, model: str) -> None:
    """A model that was asked for by name may have no key here."""
    from donewhen.ui.finding import key_variables

    variables = key_variables().get(model.partition(":")[0], ())
    if variables and not any(os.environ.get(name, "").strip() for name in variables):
        app.note(t("models_found.wrote_no_key", variable=variables[0], model=model))


def _target(made: _Made) -> Path:
    from donewhen.config.project import OURS

    return made.root / OURS


def _data(made: _Made, *, dry_run: bool) -> dict[str, Any]:
    from donewhen.ui.finding_text import found_data
    from donewhen.ui.init_text import survey_data

    data: dict[str, Any] = {
        "path": str(_target(made)),
        "written": not dry_run,
        "dry_run": dry_run,
        "backup": str(made.backup) if made.backup else None,
        "copied_from": str(made.copied) if made.copied else None,
        "trusted": made.trusted,
        "git": made.git,
        "survey": survey_data(made.found, language()) if made.found else None,
        "models": found_data(made.models) if made.models else None,
        "model": made.model or None,
        "next": made.next,
    }
    return {**data, "text": made.data.decode(errors="replace")} if dry_run else data
