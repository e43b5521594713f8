"""Artifacts are named by their content, private, redacted and whole."""

import stat
from hashlib import sha256
from pathlib import Path

import pytest

from donewhen.core.errors import SetupError
from donewhen.secrets.redact import Redactor
from donewhen.store.artifacts import Artifacts
from tests.tables import table_test


def test_content_is_kept_once_under_its_digest(tmp_path: Path):
    artifacts = Artifacts(tmp_path)
    data = b"some output \xff\x00\n" * 1000
    digest = artifacts.put(data)
    assert digest == artifacts.put(data) == sha256(data).hexdigest()
    assert artifacts.get(digest) == data
    assert [(file.digest, file.size) for file in artifacts.all()] == [(digest, len(data))]
    assert stat.S_IMODE((tmp_path / digest[:2] / digest[2:]).stat().st_mode) == 0o600


def test_secrets_are_redacted_before_the_digest_is_taken(tmp_path: Path):
    artifacts = Artifacts(tmp_path, Redactor(["s3cr3t-declared"]))
    digest = artifacts.put(b"before s3cr3t-declared after \xff")
    assert b"s3cr3t" not in artifacts.get(digest)
    assert artifacts.get(digest).endswith(b" after \xff")


def test_an_altered_artifact_is_refused(tmp_path: Path):
    artifacts = Artifacts(tmp_path)
    digest = artifacts.put(b"true")
    (tmp_path / digest[:2] / digest[2:]).write_bytes(b"false")
    with pytest.raises(SetupError, match="does not match its name"):
        artifacts.get(digest)


@table_test("name", ["0" * 64, "../../etc/passwd", "", "ABC"])
def test_what_is_not_there_is_said_so(tmp_path: Path, name):
    with pytest.raises(SetupError, match="is not in"):
        Artifacts(tmp_path).get(name)
