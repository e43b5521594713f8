"""What changed between two reviews."""

from donewhen.core.quality.lines import diff_files
from donewhen.verify.review_protocol import NOTHING, changed_since

DIFF = """diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -10,3 +10,4 @@ def f():
 a
-b
+B
+C
 d
@@ -30,3 +31,2 @@
 x
-y
 z
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-x
-y
diff --git a/new.py b/new.py
new file mode 100644
--- /dev/null
+++ b/new.py
@@ -0,0 +1,1 @@
+x
"""


def test_lines_of_now():
    since = changed_since(DIFF)
    assert [line for line in range(1, 40) if since.changed("a.py", line)] == [*range(8, 15), *range(29, 35)]
    assert since.changed("new.py", 1) and since.changed("a.py", 0)
    assert not since.changed("gone.py", 1) and not since.changed("other.py", 1)


def test_lines_of_then():
    since = changed_since(DIFF)
    assert [line for line in range(1, 40) if since.lost("a.py", line)] == [11, 31]
    assert since.lost("gone.py", 1) and not since.lost("other.py", 1)


def test_no_difference_changed_nothing():
    assert changed_since("") == NOTHING


def test_a_diff_is_read_file_by_file():
    found = {part.file: part.added for part in diff_files(DIFF)}
    assert found == {"a.py": ((11, "B"), (12, "C")), "gone.py": (), "new.py": ((1, "x"),)}
    assert "\n".join(line for part in diff_files(DIFF) for line in part.lines) + "\n" == DIFF


def test_names_of_files_are_told_whatever_git_makes_of_them():
    diff = (
        'diff --git "a/tab\\there" "b/tab\\there"\n--- "a/tab\\there"\n+++ "b/tab\\there"\n@@ -1 +1 @@\n-a\n+b\n'
        'diff --git "a/caf\\303\\251" "b/caf\\303\\251"\nnew file mode 100644\nindex 0..1\n'
        "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y z\n"
        "diff --git a/pic.png b/pic.png\nBinary files a/pic.png and b/pic.png differ\n"
    )
    assert [part.file for part in diff_files(diff)] == ["tab\there", "café", "y z", "pic.png"]


def test_lines_that_look_like_headers_are_lines():
    diff = (
        "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n x\n--- a/other\n+++ b/other\n+@@ -1 +1 @@\n"
        "+diff --git a/z b/z\n\\ No newline at end of file\n"
    )
    (part,) = diff_files(diff)
    assert part.added == ((2, "++ b/other"), (3, "@@ -1 +1 @@"), (4, "diff --git a/z b/z"))
