"""Files that may be empty: said of them in words, or known as markers; whatever else must hold something."""

from donewhen.commands.goals import parse_goal
from tests.tables import table_test

CASES = [
    ("Add an empty lib/__init__.py.", {"lib/__init__.py": True}),
    ("Create lib/py.typed and docs/.nojekyll.", {"lib/py.typed": True, "docs/.nojekyll": True}),
    ("Create an empty notes.txt and report.md.", {"notes.txt": True, "report.md": False}),
    ("Create an empty a.txt and a summary.md", {"a.txt": True, "summary.md": False}),
    ("Create empty files a.txt, b.txt and c.txt.", {"a.txt": True, "b.txt": True, "c.txt": True}),
    ("Create a new empty marker file called `ready.flag`.", {"ready.flag": True}),
    ("Create notes.txt (empty) and add data/log.txt.", {"notes.txt": True, "data/log.txt": False}),
    ("Add settings.local.yml, which stays empty for now.", {"settings.local.yml": True}),
    ("Create out.txt, which must not be empty.", {"out.txt": False}),
    ("Create a non-empty file data.json", {"data.json": False}),
    ("Write docs/lists.md about empty lists.", {"docs/lists.md": False}),
    ("Write an empty-state guide to docs/empty.md", {"docs/empty.md": False}),
    ("Document how empty input is handled in docs/input.md", {"docs/input.md": False}),
    ("创建一个空的 a.txt 文件", {"a.txt": True}),
    ("新建空文件 b.txt，并编写 readme.md", {"b.txt": True, "readme.md": False}),
    ("创建 c.txt（空）", {"c.txt": True}),
    ("创建 d.txt，内容为空", {"d.txt": True}),
    ("创建 e.txt，内容不能为空", {"e.txt": False}),
    ("创建非空文件 f.txt", {"f.txt": False}),
]


@table_test(("goal", "files"), CASES, ids=[goal for goal, _ in CASES])
def test_only_words_about_the_file_itself_let_it_be_empty(goal, files):
    assert {file.path: file.empty for file in parse_goal(goal).files} == files
