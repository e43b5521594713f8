"""OpenSpec changes as parts of a promise: read, validated with line numbers, merged on paper, ticked.

The readers are pure and never raise; the rules say everything that is wrong, at once; only `open_change`
touches the disk, and nothing here ever writes to it.
"""

from donewhen.intake.openspec.archiving import ArchivePlan, Write, archive_plan, merged_view
from donewhen.intake.openspec.deltas import read_delta
from donewhen.intake.openspec.finding import change_ids
from donewhen.intake.openspec.mainspec import read_spec
from donewhen.intake.openspec.merging import Counts, Merged, Refused, Target, merge
from donewhen.intake.openspec.model import (
    Change,
    Config,
    Delta,
    Issue,
    Meta,
    Proposal,
    Requirement,
    Scenario,
    Spec,
    SpecFile,
    Task,
    Tasks,
)
from donewhen.intake.openspec.opening import ChangeRefused, open_change
from donewhen.intake.openspec.parts import Check, Criterion, Objective, Parts, Todo, change_to_parts
from donewhen.intake.openspec.proposal import read_proposal
from donewhen.intake.openspec.rules_change import validate_change
from donewhen.intake.openspec.rules_spec import validate_spec
from donewhen.intake.openspec.settings import read_config, read_meta
from donewhen.intake.openspec.tasks import read_tasks, tick
from donewhen.intake.slugs import slug

__all__ = [
    "ArchivePlan",
    "Change",
    "ChangeRefused",
    "Check",
    "Config",
    "Counts",
    "Criterion",
    "Delta",
    "Issue",
    "Merged",
    "Meta",
    "Objective",
    "Parts",
    "Proposal",
    "Refused",
    "Requirement",
    "Scenario",
    "Spec",
    "SpecFile",
    "Target",
    "Task",
    "Tasks",
    "Todo",
    "Write",
    "archive_plan",
    "change_ids",
    "change_to_parts",
    "merge",
    "merged_view",
    "open_change",
    "read_config",
    "read_delta",
    "read_meta",
    "read_proposal",
    "read_spec",
    "read_tasks",
    "slug",
    "tick",
    "validate_change",
    "validate_spec",
]
