"""What becomes of findings about the exam's own files once the base's exam was sat."""

from donewhen.core.integrity.finding import found
from donewhen.core.texts import Phrase
from donewhen.run.verifying.exam_side import made, placed

WHOLE = found("base-tests-failed", "", 1, message=Phrase("comparing.base_failed"))
OWN = found("expected-changed", "known.txt", 1, message=Phrase("examdata.edited"))._replace(policy="warn")
NEW = found("expected-changed", ".stamp", 1, message=Phrase("examdata.made"))._replace(policy="warn")
ALLOWED = Phrase("permits.by_person", {"permit": "*"})


def test_a_red_of_the_whole_is_told_at_the_files_that_were_put_back():
    assert [(each.file, each.policy) for each in placed([WHOLE, OWN])] == [("known.txt", "deny")]


def test_without_such_files_or_without_a_red_nothing_changes():
    other = found("shim", "a.py", 1)
    assert placed([WHOLE, other]) == (WHOLE, other)
    assert placed([OWN, other]) == (OWN, other)


def test_what_a_person_permits_stays_and_explains_nothing():
    allowed = OWN._replace(permitted=ALLOWED)
    assert placed([WHOLE, allowed]) == (WHOLE, allowed)
    assert made([NEW]) == {".stamp"}
    assert made([NEW._replace(permitted=ALLOWED), OWN]) == set()
