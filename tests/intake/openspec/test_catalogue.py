"""Every text about OpenSpec is used somewhere, and every issue fills its placeholders."""

import re
from pathlib import Path

from donewhen.core.texts.openspec import TEXTS
from donewhen.intake import openspec


def test_texts_and_uses_are_the_same():
    folder = Path(openspec.__file__).parent
    source = "".join(path.read_text() for path in sorted(folder.glob("*.py")))
    assert set(re.findall(r'"openspec\.([a-z_]+)"', source)) == set(TEXTS)


def test_sentences_start_small_and_end_without_a_stop():
    for english, chinese in TEXTS.values():
        assert english[0] in " {" or english[0].islower()
        assert not english.endswith(".") and not chinese.endswith("。")
