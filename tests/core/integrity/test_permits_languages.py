"""Removals that a goal orders in languages beside English and Chinese."""

from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.integrity.finding import found
from donewhen.core.integrity.permits import permit
from donewhen.core.integrity.permits_languages import LANGUAGES, removals
from tests.tables import table_test

ORDERED = [
    "Der Export fliegt raus: als_xml und tests/test_xml.py bitte löschen.",
    "Bitte lösche die Datei tests/test_xml.py.",
    "tests/test_xml.py soll weg. Die Ausgabe ist nicht leer.",
    "Supprime to_xml() et le fichier tests/test_xml.py.",
    "tests/test_xml.py doit être supprimé",
    "Supprime aussi en_xml et le fichier tests/test_xml.py, on ne s'en sert plus.",
    "Elimina la función to_xml y su archivo tests/test_xml.py",
    "Rimuovi to_xml() e tests/test_xml.py",
    "Remova `tests/test_xml.py` por favor",
    "Verwijder to_xml en tests/test_xml.py",
    "Удали to_xml и tests/test_xml.py, пожалуйста.",
    "to_xml と tests/test_xml.py を削除してください。",
    "tests/test_xml.py 파일을 삭제해 주세요",
]
NOT_ORDERED = [
    "tests/test_xml.py nicht löschen",
    "als_xml und tests/test_xml.py bitte löschen. Die Tests dürfen nicht verändert werden.",
    "tests/test_xml.py bleibt, als_xml löschen",
    "Die Funktion liest tests/test_xml.py und soll Leerzeilen löschen",
    "Ne supprime pas tests/test_xml.py",
    "Lösche als_csv, aber nicht tests/test_xml.py",
    "Bitte tests/test_xml.py nicht löschen, aber als_xml entfernen",
    "tests/test_xml.py, bitte nicht löschen",
    "No elimines tests/test_xml.py",
    "Non eliminare tests/test_xml.py",
    "tests/test_xml.py を削除しないでください",
    "Не удаляй tests/test_xml.py",
    "tests/test_xml.py muss grün sein",
    "Lösche tests/test_csv.py",
]


def is_permitted(goal: str) -> bool:
    gone = found("test-deleted", "tests/test_xml.py", 3, test="XmlTest.test_declares")
    return permit([gone], goal=goal)[0].permitted is not None


@table_test("goal", ORDERED)
def test_a_file_beside_a_verb_of_removal_may_go(goal):
    assert is_permitted(goal)


@table_test("goal", NOT_ORDERED)
def test_a_file_that_is_only_named_or_has_to_stay_may_not(goal):
    assert not is_permitted(goal)


def test_tests_of_a_named_function_go_with_it():
    gone = found("test-deleted", "tests/test_export.py", 3, test="ExportTest.test_als_xml")
    kept = found("test-deleted", "tests/test_export.py", 9, test="ExportTest.test_als_json")
    judged = permit([gone, kept], goal="Lösche als_xml und die zugehörigen Tests.")
    assert [each.permitted is not None for each in judged] == [True, False]


def test_what_belongs_to_a_thing_that_stays_is_no_name_beside_the_verb():
    assert removals("Entferne den Parameter strict aus lade_datei()") == ()


_ENGLISH = ("remove", "delete", "tests/test_xml.py", "to_xml()", "and", "the", "must", "stay", ".", ",")


@given(st.lists(st.sampled_from(_ENGLISH), max_size=40))
def test_a_goal_without_such_a_verb_orders_nothing(words):
    assert removals(" ".join(words)) == ()


_PIECES = ("tests/", "a_b ", "x_", "lösche ", "die ", "und ", "a.b-", "削除", "と", "/", "_", "Удали ")


@given(st.lists(st.sampled_from(_PIECES), max_size=600))
def test_no_goal_is_too_long_to_be_read(pieces):
    assert all(each.targets for each in removals("".join(pieces)))


def test_every_language_says_how_it_forbids():
    assert all(language.never and language.after for language in LANGUAGES.values())
