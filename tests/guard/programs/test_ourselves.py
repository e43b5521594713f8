"""The package donewhen itself is no agent's to install or remove, by whatever manager."""

from donewhen.guard import Guard
from donewhen.guard.cases import GROUND
from tests.tables import table_test

DENIED = """
pip uninstall -y donewhen
uv pip uninstall donewhen
pip install --force-reinstall donewhen==0.0.1
pip install 'DoneWhen[all]>=0'
pip install ./donewhen-0.0.1-py3-none-any.whl
pip install -e ../donewhen
pip install 'donewhen @ https://example.org/x.whl'
pip install git+https://example.org/donewhen.git
pipx uninstall donewhen
pipx inject donewhen other
pipx runpip donewhen uninstall x
uv tool uninstall donewhen
uv run pip uninstall donewhen
conda remove -y donewhen
mamba install donewhen=0.1
python -m pip uninstall -y donewhen
.venv/bin/python3 -m pip uninstall -y donewhen
poetry remove donewhen
echo donewhen | xargs pip uninstall -y
"""
ALLOWED = """
pip show donewhen
pip install -e .
pip install donewhen-plugin donewhen_extra
pip install -r requirements.txt
pip install --help donewhen
grep -rn 'pip uninstall donewhen' docs
"""


@table_test("line", DENIED.strip().splitlines())
def test_we_stay_as_we_are(line):
    decision = Guard(GROUND).command(line)
    assert (decision.action, decision.rule) == ("deny", "own-state")


@table_test("line", ALLOWED.strip().splitlines())
def test_other_packages_are_not_ours(line):
    assert Guard(GROUND).command(line).action == "allow"
