"""What is wrong with a change as a whole: its deltas, also against the main specs, its markers, its tasks.

An ERROR means that the change can't be kept as a promise: it says too little, contradicts itself, or could
never be merged.
"""

from donewhen.core.texts import Phrase
from donewhen.intake.openspec.merging import Merged, Target, dropped_scenarios, merge, merged_errors
from donewhen.intake.openspec.model import Change, Config, Issue, Meta, SpecFile, Tasks
from donewhen.intake.openspec.remarks import error, has_errors, info, warning
from donewhen.intake.openspec.rules_delta import delta_issues
from donewhen.intake.openspec.settings import BUILT_IN_SCHEMA, is_kebab


def validate_change(change: Change) -> list[Issue]:
    """Every issue of the change, file by file, in the order of its lines."""
    issues = _layout_issues(change)
    for spec in change.specs:
        own = delta_issues(spec.file, spec.delta)
        issues += own + _merge_issues(change, spec, has_errors(own))
    if change.tasks is not None:
        issues += task_issues(f"{change.place}/tasks.md", change.tasks, _schema(change))
    return issues + _settings_issues(change)


def target_of(change: Change, spec: SpecFile) -> Target:
    retire = change.meta is not None and change.meta.retire_capabilities
    return Target(spec.capability, spec.file, spec.main_file, change.id, retire)


def _schema(change: Change) -> str:
    named = change.meta.schema if change.meta else ""
    return named or (change.config.schema if change.config else "") or BUILT_IN_SCHEMA


def _layout_issues(change: Change) -> list[Issue]:
    meta = change.meta or Meta()
    folder = f"{change.place}/specs"
    issues = [] if is_kebab(change.id) else [info("openspec.change_id", change.place)]
    if change.root_spec:
        issues.append(error("openspec.root_spec", f"{folder}/spec.md", 1))
    issues += [error("openspec.unread_delta", file, 1) for file in change.unread]
    issues += [warning("openspec.linked_folder", file) for file in change.linked]
    if meta.skip_specs:
        found = error("openspec.skip_conflict", folder) if change.any_spec_file else _skipped(change)
        return [*issues, found]
    total = sum(spec.delta.total for spec in change.specs)
    if not total and not change.root_spec and not change.unread and not change.specs:
        issues.append(error("openspec.no_deltas", change.place))
    return issues


def _skipped(change: Change) -> Issue:
    return info("openspec.skip_accepted", f"{change.place}/.openspec.yaml")


def _merge_issues(change: Change, spec: SpecFile, has_own_errors: bool) -> list[Issue]:
    target = target_of(change, spec)
    if has_own_errors:
        return dropped_scenarios(spec.main, spec.delta, target) if spec.main is not None else []
    result = merge(spec.main, spec.delta, target)
    if isinstance(result, Merged):
        found = merged_errors(result, target)
        notes = list(result.notes)
        if found:
            cause = Phrase(found[0].key, {**found[0].values, "place": found[0].place})
            notes.append(warning("openspec.merged_invalid", spec.file, 1, cause=cause))
        return notes
    return [
        issue._replace(level="WARNING") if issue.key in _ONLY_ARCHIVE else issue for issue in result.issues
    ]


# the change itself is sound; what it leaves behind needs a human's word before it is archived
_ONLY_ARCHIVE = frozenset({"openspec.empties", "openspec.retire_leftover"})


def _settings_issues(change: Change) -> list[Issue]:
    issues = []
    meta = change.meta or Meta()
    file = f"{change.place}/.openspec.yaml"
    if meta.trouble and meta.wants_skip:
        issues.append(error("openspec.skip_unreadable", file, meta.line, cause=meta.trouble))
    elif meta.trouble:
        issues.append(info("openspec.meta_unused", file, meta.line, cause=meta.trouble))
    config = change.config or Config()
    if config.trouble:
        issues.append(info("openspec.config_unused", config.file, cause=config.trouble))
    return issues + [info("openspec.config_field", config.file, name=name) for name in config.dropped]


def task_issues(file: str, tasks: Tasks, schema: str = BUILT_IN_SCHEMA) -> list[Issue]:
    """Ids that mislead, or a list that counts as no task at all."""
    if tasks.plain_item:
        return [warning("openspec.no_boxes", file, tasks.plain_item)]
    if schema != BUILT_IN_SCHEMA:
        return []
    issues = []
    first: dict[str, int] = {}
    for task in tasks.tasks:
        if not task.id or not task.group:
            continue
        own = task.id.split(".")[0]
        if own.lstrip("0") != task.group.lstrip("0"):
            issues.append(warning("openspec.wrong_group", file, task.line, task=task.id, group=task.group))
        if first.setdefault(task.id, task.line) != task.line:
            issues.append(
                warning("openspec.duplicate_task", file, task.line, task=task.id, first=first[task.id])
            )
    return issues
