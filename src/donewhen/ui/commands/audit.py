"""`donewhen audit RUN`: is the ledger what was written? `--record FILE`: is the tree what was accepted?

`--ci` writes down what CI said about the accepted change later; it is the one option here that writes.
"""

from typing import Literal

import click

from donewhen.core.chain import Finding, Head
from donewhen.core.errors import SetupError, UserError
from donewhen.store import Opened, resolve
from donewhen.store.audit import Audit
from donewhen.store.audit import audit as examine
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.output import complain, one_line, paint, print_json, print_line
from donewhen.ui.words import language, t


@command("audit", "help.audit")
@click.argument("run", required=False, default="", shell_complete=complete_run)
@click.option("--all", "every", is_flag=True, help=t("help.audit_all"))
@click.option("--record", default="", metavar="FILE", help=t("help.audit_record"))
@click.option("--commit", default="", metavar="REF", help=t("help.audit_commit"))
@click.option("--signers", default="", metavar="FILE", help=t("help.audit_signers"))
@click.option("--ci", type=click.Choice(["passed", "failed"]), help=t("stats.help_ci"))
@click.option("--note", default="", metavar="TEXT", help=t("stats.help_note"))
def audit(
    app: App, run: str, every: bool, record: str, commit: str, signers: str, ci: str | None, note: str
) -> int:
    if ci:
        if not run or every or record or commit or signers:
            raise UserError("stats.ci_needs_run")
        return _tell_ci(app, run, ci, note)
    if note:
        raise UserError("stats.note_needs_ci")
    if record:
        from donewhen.ui.record_text import audit_file

        if run or every:
            raise UserError("record.with_run")
        return audit_file(app, record, commit, signers)
    if commit or signers:
        raise UserError("record.only_with", option="--commit" if commit else "--signers")
    return _audit_runs(app, run, every=every)


def _tell_ci(app: App, run: str, ci: str, note: str) -> int:
    """Exit 0: that CI failed is what was to be written down."""
    from donewhen.run.aftermath import tell_ci
    from donewhen.ui.who import who

    with app.open() as opened:
        run_id = resolve(opened, run)
        found: Literal["ci_failed", "ci_passed"] = "ci_failed" if ci == "failed" else "ci_passed"
        commit = tell_ci(opened, run_id, found, who(), note)
    if app.as_json:
        print_json({"run": run_id, "ci": ci, "commit": commit or None, "note": note.strip()})
    elif not app.quiet:
        print_line(t("stats.told", run=one_line(run_id), word=t(f"stats.{found}")))
    return 0


def _audit_runs(app: App, run: str, *, every: bool) -> int:
    if run and every:
        raise UserError("cli.audit_both")
    if not run and not every:
        raise UserError("cli.audit_which")
    with app.open() as opened:
        damage = opened.store.damage()
        try:
            chosen = _chosen(opened, run)
        except SetupError:
            if not damage:
                raise
            chosen = []  # a store without its tables: that is the finding
        audits = [each for run_id in chosen for each in _examine(opened, run_id, every=every)]
    ok = not damage and all(each.ok for each in audits)
    if app.as_json:
        print_json({"ok": ok, "damage": damage, "audits": [_data(each) for each in audits]})
    elif not audits and not damage:
        app.note(t("cli.no_runs_yet"))
    for each in () if app.as_json else audits:
        if not each.ok or not app.quiet:
            _print(each, whole=app.verbose)
    if damage:
        complain(t("cli.audit_store", what=", ".join(map(one_line, damage))))
    return 0 if ok else 1


def _chosen(opened: Opened, run: str) -> list[str]:
    """The named run, also one of which only some traces are left; or all that there is a trace of."""
    known = opened.store.run_ids()
    if not run:
        return known
    return [run] if run in known else [resolve(opened, run)]


def _examine(opened: Opened, run_id: str, *, every: bool) -> list[Audit]:
    """The audit of one run; what makes even that impossible is its finding."""
    try:
        return [examine(opened.store, run_id, opened.artifacts)]
    except SetupError as error:
        finding = Finding("unreadable", 0, 0, error.say(language()))
        return [Audit(run_id, 0, Head(0, ""), (finding,), second_head=False)]
    except UserError:
        if not every:
            raise
        return []  # removed since it was listed


def _data(each: Audit) -> dict[str, object]:
    return {
        "run": each.run_id,
        "ok": each.ok,
        "events": each.events,
        "head": each.head._asdict(),
        "second_head": each.second_head,
        "promise": each.promise or None,
        "bound": each.bound,
        "findings": [{**finding._asdict(), "message": sentence(finding)} for finding in each.findings],
    }


def sentence(finding: Finding) -> str:
    if finding.seq < 1:
        name = t("cli.event_none")
    elif finding.seq == finding.last:
        name = t("cli.event_one", seq=finding.seq)
    else:
        name = t("cli.event_many", seq=finding.seq, last=finding.last)
    return t(f"cli.audit_{finding.fault}", event=name, detail=one_line(finding.detail))


def _print(each: Audit, *, whole: bool) -> None:
    if each.ok:
        head = each.head.hash if whole else each.head.hash[:12]
        print_line(
            paint("✓ ", "green") + t("cli.audit_ok", run=one_line(each.run_id), events=each.events, hash=head)
        )
        if each.promise:
            print_line("  " + t("cli.audit_promise_named", promise=one_line(each.promise), bound=each.bound))
        if not each.second_head:
            print_line(paint("! ", "yellow") + t("cli.audit_no_second"))
        return
    print_line(paint("✗ ", "red") + t("cli.audit_bad", run=one_line(each.run_id)))
    for finding in each.findings:
        print_line(f"  {sentence(finding)}")
