"""Completion of run ids at the shell; it never fails loudly and never makes a store."""

import click
from click.shell_completion import CompletionItem

from donewhen.core.errors import DonewhenError
from donewhen.ui.output import one_line


def complete_run(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from donewhen.core.protocols import Query
    from donewhen.ui.app import App

    try:
        with App(quiet=True, verbose=False, as_json=False, settings=()).open() as opened:
            rows = opened.store.runs(Query(limit=200))
    except DonewhenError:
        return []
    items = [CompletionItem("last")] + [
        CompletionItem(row.run_id, help=one_line(row.goal)[:60]) for row in rows
    ]
    return [item for item in items if str(item.value).startswith(incomplete)]
