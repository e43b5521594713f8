"""A refused plan is withdrawn: what was before it holds again, except for what a human waived meanwhile."""

from donewhen.core.revising import Plan, withdrawn
from donewhen.core.todos import make_optional, read_todos, replan


def test_all_is_as_before_but_a_waiver_stays_and_revisions_rise():
    before = Plan(read_todos([{"id": name, "content": name, "by": "user"} for name in "ab"]), (), ("x.py",))
    plan = [{"id": "a", "priority": 5}, {"id": "b"}, {"id": "t", "content": "look"}]
    planned = make_optional(replan(before.todos, plan).todos, "b", by_human=True)
    back = withdrawn(before, Plan(planned, (), ("y.py",)))
    assert list(back.todos.entries) == ["a", "b"]
    a, b = back.todos.entries.values()
    assert (a.priority, a.required, a.revision) == (0, True, 3)
    assert (b.required, b.revision) == (False, 2)
    assert back.files == ("x.py",)
    assert withdrawn(before, before) == before
