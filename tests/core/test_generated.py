"""Files in an answer: taken as they stand, or not at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donewhen.core.errors import AgentError
from donewhen.core.generated import generated_files
from tests.tables import table_test

LINES = st.lists(st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=20))


def answer(files: dict[str, str], fence: str = "`" * 40) -> str:
    return "\n".join(f"{fence}path={path}\n{text}{fence}" for path, text in files.items())


@given(st.dictionaries(st.sampled_from(["a.py", "b/c.md", "d e.txt"]), LINES, min_size=1))
def test_what_was_written_is_what_is_read(files: dict[str, list[str]]):
    texts = {path: "".join(f"{line}\n" for line in lines) for path, lines in files.items()}
    assert generated_files(answer(texts), list(texts)) == texts


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_answer_gives_a_file_that_was_not_asked_for(before: str, after: str):
    text = f"{before}\n```path=a.py\nx\n```\n{after}"
    try:
        assert list(generated_files(text, ["a.py"])) == ["a.py"]
    except AgentError as error:
        assert error.key.startswith("codegen.")


@table_test(
    ("text", "key"),
    [
        ("", "no_block"),
        ("```python\nx\n```", "no_block"),
        ("```path=a.py\nx\n", "not_closed"),
        ("```path=a.py\nx\n````", "not_closed"),
        ("````path=a.py\n```\nx\n```\n", "not_closed"),
        ("```path=a.py\nx\n```\nThat is all.", "outside"),
        ("```path=a.py\nx\n```\n```\ny\n```", "outside"),
        ("```path=a.py\nx\n```\n```path=a.py\ny\n```", "given_twice"),
        ("```path=/etc/passwd\nx\n```", "not_asked"),
        ("```path=A.py\nx\n```", "not_asked"),
    ],
)
def test_what_is_not_exact_is_refused(text: str, key: str):
    with pytest.raises(AgentError) as caught:
        generated_files(text, ["a.py"])
    assert caught.value.key == f"codegen.{key}"


@table_test(
    ("text", "content"),
    [
        ("```path=a.py\nx\n```", "x\n"),
        ("Here it is:\n\n```python path=a.py\nx\n```\n\n", "x\n"),
        ("```path=`a.py`\nx\n```", "x\n"),
        ("```path=a.py\r\nx\r\n```\r\n", "x\n"),
        ("```path=a.py\n```", ""),
        ("````path=a.py\n```\nx\n```\n````", "```\nx\n```\n"),
    ],
)
def test_small_differences_are_forgiven(text: str, content: str):
    assert generated_files(text, ["a.py"]) == {"a.py": content}
