"""`donewhen export` and `import`: a run as one JSONL file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from donewhen.config.files import write_whole
from donewhen.core.errors import SetupError, UserError
from donewhen.store import resolve
from donewhen.store.parcel import MAX_LINE
from donewhen.store.transfer import export_lines, import_parcel, read_parcel
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.output import print_json, print_line
from donewhen.ui.words import t


@command("export", "help.export")
@click.argument("run", shell_complete=complete_run)
@click.option("--output", "-o", type=click.Path(path_type=Path), metavar="FILE", help=t("help.export_output"))
@click.option("--force", is_flag=True, help=t("help.export_force"))
def export(app: App, run: str, output: Path | None, force: bool) -> None:
    with app.open() as opened:
        run_id = resolve(opened, run)
        lines = (line.encode() + b"\n" for line in export_lines(opened.store, opened.artifacts, run_id))
        if output is None:
            for line in lines:
                sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        else:
            _write(output, b"".join(lines), force=force)
        gone = sum(not opened.artifacts.has(digest) for _, digest in opened.store.artifact_refs(run_id))
    if gone:
        app.note(t("cli.missing_artifacts", count=gone))
    if app.as_json and output:
        print_json({"run": run_id, "file": str(output), "missing_artifacts": gone})
    elif output:
        app.note(t("cli.exported", run=run_id, path=output))


def _write(output: Path, data: bytes, *, force: bool) -> None:
    """A whole new file, in a folder that is there; never in the place of a device or a pipe."""
    try:
        if not output.absolute().parent.is_dir():
            raise UserError("cli.no_folder", path=output.absolute().parent)
        if output.exists() and not output.is_file():
            raise UserError("cli.not_regular", path=output)
        if output.exists() and not force:
            raise UserError("cli.file_exists", path=output)
        write_whole(output, data)
    except OSError as error:
        raise SetupError("transfer.cannot_write", name=output, why=error.strerror) from error


@command("import", "help.import")
@click.argument("file", metavar="FILE")
def import_(app: App, file: str) -> None:
    parcel = read_parcel(_lines(file), file)
    with app.open(create=True) as opened:
        new = import_parcel(parcel, opened.store, opened.artifacts, opened.redactor)
    if app.as_json:
        print_json({"run": parcel.run_id, "imported": new, "events": len(parcel.records)})
    elif not app.quiet:
        key = "cli.imported" if new else "cli.already_there"
        print_line(t(key, run=parcel.run_id, events=len(parcel.records)))


def _lines(file: str) -> Iterator[bytes]:
    try:
        if file == "-":
            if sys.stdin is None:
                raise UserError("cli.no_stdin")
            yield from _bounded(sys.stdin.buffer)
            return
        with Path(file).open("rb") as stream:
            yield from _bounded(stream)
    except OSError as error:
        raise UserError("transfer.cannot_read", name=file, why=error.strerror) from error


def _bounded(stream: BinaryIO) -> Iterator[bytes]:
    """Lines of bounded length: a file without line ends must not fill the memory."""
    while line := stream.readline(MAX_LINE + 2):
        yield line
