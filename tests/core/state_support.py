"""A workspace in a few lines: files at the start, files now, what happened, and the exam that follows."""

from donewhen.commands import parse
from donewhen.core.accept import read_accept
from donewhen.core.events import facts
from donewhen.core.evidence import Evidence
from donewhen.core.exam import Exam
from donewhen.core.paths import Exempt
from donewhen.core.promise import Criterion, Promise
from donewhen.core.task_state import Activity, TaskState, act, seeking, task_state
from donewhen.core.versions import read_back
from donewhen.core.view import MemoryFiles, View

PROMISE = Promise("cp-1760000000000-1a2b", "ship", (Criterion("c1", "it works"),))
GREEN = "8 passed in 0.2s\n"
RED = "FAILED tests/test_app.py::test_sum\n1 failed, 7 passed in 0.2s\n"
PRINTED = {0: GREEN, 127: "sh: not found\n"}


class Desk:
    """Somebody works here: every step leaves the facts that a run would leave."""

    def __init__(self, start=(), accept=(), checks=(), exempt=Exempt()):  # noqa: B008
        self.start = dict(start)
        self.now = dict(start)
        self.checks = tuple(checks)
        entries = tuple(entry for command in accept for entry in read_accept(command, parse))
        self.promise = PROMISE._replace(accept=entries)
        self.exempt = exempt
        self.evidence = Evidence(parse)
        self.activity = Activity()

    @property
    def tree(self):
        return repr(sorted(each for each in self.now.items() if not self.exempt.match(each[0])))

    @property
    def exam(self):
        paths = [path for path in self.start.keys() | self.now.keys() if not self.exempt.match(path)]
        kinds = {path: self._kind(path) for path in paths}
        changed = {path: kind for path, kind in kinds.items() if kind}
        view = View(f"full-{self.tree}", self.tree, MemoryFiles(self.now), changed)
        return Exam(
            self.promise,
            self.evidence,
            view,
            parse,
            self.checks,
            answer="Done.",
            exempt=self.exempt,
            answered=False,
        )

    @property
    def state(self) -> TaskState:
        return task_state(self.exam, self.activity)

    def take(self, body):
        self.activity = act(self.activity, body, seeking(self.exam))
        self.evidence.take(body)
        return self

    def read(self, path, tool="read_file"):
        self.take(facts.ToolCalled("k", tool))
        seen = read_back(self.evidence.versions, tool, path, self.now.get(path))
        return self.take(seen) if seen else self

    def write(self, path, text):
        self.now[path] = text
        return self.take(facts.FileChanged(path, "write"))

    def delete(self, path):
        self.now.pop(path, None)
        return self.take(facts.FileChanged(path, "delete"))

    def run(self, command="pytest", code=0, by="harness", tail=None):
        said = tail if tail is not None else PRINTED.get(code, RED)
        return self.take(facts.CommandEnded("", command, by=by, exit=code, tail=said, before=self.tree))

    def begin(self, command="pytest", by="agent"):
        return self.take(facts.CommandStarted("k", command, by=by, before=self.tree))

    def _kind(self, path):
        if self.start.get(path) == self.now.get(path):
            return ""
        return "deleted" if path not in self.now else "modified" if path in self.start else "added"
