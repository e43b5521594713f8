"""An accepted run leaves a record that fits its ledger and its tree, and no other run does."""

import pytest

from donewhen.config import Config
from donewhen.core.codec import freeze
from donewhen.core.errors import InvariantBroken, UserError
from donewhen.core.events import run
from donewhen.run.shipping.commit import Shipped
from donewhen.run.shipping.record import keep_acceptance
from donewhen.run.shipping.record_audit import audit_record
from donewhen.store import open_store
from donewhen.verify.acceptance_record import read_file, signing_by
from tests.workspace.rooms_scene import RUN


@pytest.fixture
def opened(tmp_path, yard):
    yard.env["DONEWHEN_STATE_DIR"] = str(tmp_path / "state")
    with open_store("user", state=tmp_path / "state", folder=yard.root) as found:
        yield found


def decided(opened, *ends: run.Decided) -> None:
    promise = run.PromiseSet("p-1", freeze({"objective": "it works"}))
    opened.store.append(RUN, run.RunStarted("goal"), promise, *ends)


def test_the_record_fits_ledger_and_tree(opened, tmp_path, yard):
    site = yard.open()
    yard.write("app.py", "one = 2\n", site.folder)
    (site.folder / "pkg/deep/module.py").unlink()
    tree = site.fingerprints.take().tree
    decided(opened, run.Decided("continue"), run.Decided("accepted", fingerprint=tree))
    tools = {"sandbox": "bubblewrap", "environment": ""}
    path = keep_acceptance(opened, RUN, site, Shipped("b", "", tree), tools, Config(), yard.env)
    assert path == tmp_path / f"state/records/{RUN}.json"
    accepted, _ = read_file(path, "record")
    assert sorted(accepted.files) == ["app.py", "pkg/deep/module.py"]
    assert accepted.predicate["base"] == {"commit": site.base, "tree": site.base_tree}
    assert accepted.predicate["tools"]["sandbox"] == "bubblewrap"
    assert "environment" not in accepted.predicate["tools"]
    yard.ship(site, tree)
    audit = audit_record(path, "record", opened, site.fingerprints, yard.tree_of(site.branch))
    assert audit.ok


@pytest.mark.parametrize("end", [run.Decided("continue"), run.Decided("accepted", fingerprint="1" * 40)])
def test_a_tree_that_was_not_accepted_gets_none(opened, tmp_path, yard, end):
    site = yard.open()
    decided(opened, end)
    with pytest.raises(InvariantBroken):
        keep_acceptance(opened, RUN, site, Shipped("b", "", site.base_tree), {}, Config(), yard.env)
    assert not (tmp_path / "state/records").exists()


def test_a_signing_key_that_is_not_there_is_told():
    assert signing_by(Config()) is None
    for record in ({"sign": "ssh"}, {"sign": "ssh", "key": "/nowhere/key"}):
        with pytest.raises(UserError, match="key"):
            signing_by(Config.model_validate({"record": record}))
