"""The JSON of a run's report: whole, plain, and with the fields that docs/report.md names."""

import json
import re
from pathlib import Path

from donewhen.ui.output import json_text
from donewhen.ui.reports.run_data import run_data
from tests.tables import table_test
from tests.ui.reports.run_samples import ACCEPTED, WAITING, attacked

DOCS = Path(__file__).parents[3] / "docs" / "report.md"


@table_test("report", [ACCEPTED, WAITING, attacked()])
def test_it_is_one_json_object(report):
    read = json.loads(json_text(run_data(report, "en")))
    assert (read["version"], read["report"], read["run"]) == (1, "run", report.run)


def test_every_field_is_documented():
    table = DOCS.read_text().split("## JSON")[1]
    named = set(re.findall(r"^\| `([a-z_]+)`", table, re.MULTILINE))
    assert named == {"version", *run_data(WAITING, "en")}


def test_a_proof_has_its_evidence_and_money_is_in_dollars():
    data = run_data(WAITING, "en")
    assert data["proofs"][0]["evidence"][0]["output"] == "FAIL: test_adds_up\nRan 3 tests\n"
    assert data["cost"]["total"] == 0.25
    assert data["criteria"][0]["status"] == "masked" or data["criteria"][0]["status"] == "failed"
    assert data["next"] == {"sentence": "answer the question", "command": "donewhen approve a-1"}
