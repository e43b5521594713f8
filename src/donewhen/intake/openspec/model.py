"""What a spec or a change says, as frozen data; every element knows its line (from 1).

Nothing here judges: a page full of mistakes is still read, and the rules say what is wrong with it.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from donewhen.config.places import Place, harmless
from donewhen.core.texts import Language, Phrase, say

Level = Literal["ERROR", "WARNING", "INFO"]
Operation = Literal["ADDED", "MODIFIED", "REMOVED", "RENAMED"]
OPERATIONS: tuple[Operation, ...] = ("ADDED", "MODIFIED", "REMOVED", "RENAMED")


class Scenario(NamedTuple):
    """Any level-4 heading of a requirement; `body` are its lines, without blank ones around them."""

    name: str
    body: tuple[str, ...]
    line: int


class Requirement(NamedTuple):
    name: str
    statement: str  # its text lines, joined by newlines; empty when there is none
    scenarios: tuple[Scenario, ...]
    line: int
    block: str  # the whole of it as written, heading included, line ends as \n


class Removal(NamedTuple):
    name: str
    line: int


class Rename(NamedTuple):
    old: str
    new: str
    line: int
    new_line: int


class Half(NamedTuple):
    """One side of a rename that has no other."""

    side: Literal["FROM", "TO"]
    name: str
    line: int


class Mark(NamedTuple):
    """A line worth a remark: its heading, and the section that it stands in (empty: above the first)."""

    heading: str
    section: str
    line: int


class Section(NamedTuple):
    """A delta section: how many entries were read in it, and whether it holds any text."""

    operation: Operation
    line: int
    entries: int
    blank: bool


class Delta(NamedTuple):
    """One delta spec."""

    added: tuple[Requirement, ...] = ()
    modified: tuple[Requirement, ...] = ()
    removed: tuple[Removal, ...] = ()
    renamed: tuple[Rename, ...] = ()
    sections: tuple[Section, ...] = ()
    purpose: str = ""
    halves: tuple[Half, ...] = ()
    outside: tuple[Mark, ...] = ()  # requirements that stand in no delta section
    ignored: tuple[Mark, ...] = ()  # level-3 headings in ADDED or MODIFIED that are no requirement
    hidden: tuple[Mark, ...] = ()  # structure inside an HTML comment
    near: tuple[Mark, ...] = ()  # headings that look like a delta section and are none

    @property
    def total(self) -> int:
        return len(self.added) + len(self.modified) + len(self.removed) + len(self.renamed)


class Spec(NamedTuple):
    """One main spec, as the merge sees it."""

    title: str
    purpose: str
    purpose_line: int  # 0: there is no such section
    requirements: tuple[Requirement, ...]
    requirements_line: int  # 0: there is no such section
    before: str  # everything above the Requirements heading
    heading: str
    preamble: str
    after: str  # everything from the next level-2 heading on


class Task(NamedTuple):
    id: str  # as written, `1.2`; empty when the item has none
    text: str  # the item's text, its id included
    done: bool
    line: int
    depth: int  # 0 at the top, one more per list item that it stands under
    group: str  # the number of its group, empty outside every numbered group


class Group(NamedTuple):
    number: str
    title: str
    line: int


class Tasks(NamedTuple):
    groups: tuple[Group, ...] = ()
    tasks: tuple[Task, ...] = ()
    plain_item: int = 0  # the line of the first list item without a box, when no task was found


class Named(NamedTuple):
    """A capability that a proposal lists."""

    capability: str
    text: str
    line: int


class Proposal(NamedTuple):
    title: str = ""
    why: str = ""
    what: str = ""
    impact: str = ""
    new: tuple[Named, ...] = ()
    modified: tuple[Named, ...] = ()
    line: int = 1  # of the title, else of the Why section


class Meta(NamedTuple):
    """`.openspec.yaml`; `trouble` says why its markers don't count, None when they do."""

    schema: str = ""
    created: str = ""
    goal: str = ""
    affected_areas: tuple[str, ...] = ()
    skip_specs: bool = False
    retire_capabilities: bool = False
    trouble: Phrase | None = None
    wants_skip: bool = False  # skip_specs is mentioned, and not as false
    line: int = 0  # of the trouble, where known


class Config(NamedTuple):
    """`config.yaml`, as far as a run needs it; fields that are wrong are left out and named."""

    schema: str = ""
    context: str = ""
    rules: Mapping[str, tuple[str, ...]] = {}
    apply_guidance: tuple[str, ...] = ()
    archive_guidance: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    trouble: Phrase | None = None
    file: str = ""


class SpecFile(NamedTuple):
    """A delta spec and the main spec it changes (None: a new capability)."""

    capability: str
    file: str
    delta: Delta
    main_file: str
    main: str | None


class Change(NamedTuple):
    """A change as found on disk; `place` is its folder as people name it (`openspec/changes/add-login`)."""

    id: str
    place: str
    specs: tuple[SpecFile, ...] = ()
    proposal: Proposal | None = None
    tasks: Tasks | None = None
    meta: Meta | None = None
    config: Config | None = None
    root_spec: bool = False  # specs/spec.md is there
    unread: tuple[str, ...] = ()  # other Markdown files under specs/ that hold delta sections
    any_spec_file: bool = False
    schemas: tuple[str, ...] = ()  # workflows of the project itself
    linked: tuple[str, ...] = ()  # links to folders under specs/, which are not followed


class Issue(NamedTuple):
    """One thing to say about one place of a spec or change."""

    level: Level
    key: str
    file: str
    line: int = 0
    values: Mapping[str, object] = {}

    @property
    def place(self) -> str:
        return str(Place(self.file, self.line))

    def say(self, language: Language = "en") -> str:
        values = {name: _shown(value) for name, value in self.values.items()}
        return say(self.key, language, **{**values, "place": self.place})

    def __str__(self) -> str:
        return self.say("en")


def _shown(value: object) -> object:
    if isinstance(value, Phrase):
        return Phrase(value.key, {name: _shown(inner) for name, inner in value.values.items()})
    return harmless(value) if isinstance(value, str) else value
