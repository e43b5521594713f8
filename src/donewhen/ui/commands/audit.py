"""`donewhen audit RUN`: is the ledger what was written?"""

import click

from donewhen.core.chain import Finding
from donewhen.core.errors import UserError
from donewhen.store import Opened, resolve
from donewhen.store.audit import Audit
from donewhen.store.audit import audit as examine
from donewhen.ui.app import App, command
from donewhen.ui.completing import complete_run
from donewhen.ui.output import clean, paint, print_json, print_line
from donewhen.ui.words import t


@command("audit", "help.audit")
@click.argument("run", required=False, default="", shell_complete=complete_run)
@click.option("--all", "every", is_flag=True, help=t("help.audit_all"))
def audit(app: App, run: str, every: bool) -> int:
    if run and every:
        raise UserError("cli.audit_both")
    if not run and not every:
        raise UserError("cli.audit_which")
    with app.open() as opened:
        audits = [examine(opened.store, run_id, opened.heads) for run_id in _chosen(opened, run)]
    if app.as_json:
        print_json({"ok": all(each.ok for each in audits), "audits": [_data(each) for each in audits]})
    elif not audits:
        app.note(t("cli.no_runs_yet"))
    for each in () if app.as_json else audits:
        if not each.ok or not app.quiet:
            _print(each, whole=app.verbose)
    return 0 if all(each.ok for each in audits) else 1


def _chosen(opened: Opened, run: str) -> list[str]:
    """The named run, also one of which only the head is left; or all that are known in either place."""
    kept = opened.heads.run_ids()
    if not run:
        listed = [row.run_id for row in opened.store.runs()]
        return listed + [run_id for run_id in kept if run_id not in set(listed)]
    return [run] if run in kept else [resolve(opened, run)]


def _data(each: Audit) -> dict[str, object]:
    return {
        "run": each.run_id,
        "ok": each.ok,
        "events": each.events,
        "head": each.head._asdict(),
        "findings": [{**finding._asdict(), "message": sentence(finding)} for finding in each.findings],
    }


def sentence(finding: Finding) -> str:
    name = (
        t("cli.event_one", seq=finding.seq)
        if finding.seq == finding.last
        else t("cli.event_many", seq=finding.seq, last=finding.last)
    )
    return t(f"cli.audit_{finding.fault}", event=name, detail=clean(finding.detail))


def _print(each: Audit, *, whole: bool) -> None:
    if each.ok:
        head = each.head.hash if whole else each.head.hash[:12]
        print_line(paint("✓ ", "green") + t("cli.audit_ok", run=each.run_id, events=each.events, hash=head))
        return
    print_line(paint("✗ ", "red") + t("cli.audit_bad", run=each.run_id))
    for finding in each.findings:
        print_line(f"  {sentence(finding)}")
