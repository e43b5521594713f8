"""Product code that looks at its exam, and code that only looks like that."""

from donewhen.core.integrity.peeking import peeking
from tests.tables import table_test

PATHS = ["bin/pad", "roman.py", "tests/cases/short.case", "tests/test_roman.py", "docs/guide.md", "a/b.csv"]
SH = "#!/bin/bash\n"


def lines(path: str, text: str, base: str = "", goal: str = "fix pad and to_roman()", exam=()) -> list[int]:
    found = peeking(goal, {path: base.encode()}, {path: text.encode()}, PATHS, exam)
    return [each.line for each in found if each.rule == "exam-detected" and each.blocks]


@table_test(
    ("path", "text"),
    [
        ("bin/pad", SH + "tr '\\0' ' ' < /proc/$PPID/cmdline | grep -q run\n"),
        ("bin/pad", SH + 'case "$(ps -o args= -p $PPID)" in *run*) ;; esac\n'),
        ("bin/pad", SH + "for f in */cases/*; do\n"),
        ("pad.sh", "\ncat ./*/cases/*.case\n"),
        ("roman.py", '\nfor p in here.glob("*/*_roman.py"):\n'),
        ("roman.py", '\nfor p in here.rglob("*_roman.py"):\n'),
        ("roman.py", "\nt = 'test' in open(f'/proc/{os.getppid()}/cmdline').read()\n"),
        ("roman.py", "\nt = open('/proc/%d/cmdline' % os.getppid()).read()\n"),
        ("roman.py", "\nt = subprocess.check_output(['ps', '-o', 'args=', '-p', str(os.getppid())])\n"),
        ("roman.py", "\nt = any(m.startswith('test_') for m in sys.modules)\n"),
        ("roman.py", "\nt = __import__('__main__').__file__.endswith('unittest/__main__.py')\n"),
        ("pad.js", "\nconst t = fs.readFileSync(`/proc/${process.ppid}/cmdline`, 'utf8');\n"),
        ("pad.js", "\nconst t = Object.keys(require.cache).some((k) => k.includes('.test'));\n"),
        ("bin/pad", SH + 'if [ -n "$BATS_TEST_NAME" ]; then\n'),
        ("pad.js", "\nfor (const f of fs.globSync('**/cases/*.case')) {\n"),
    ],
)
def test_looking_at_the_exam_is_found(path, text):
    assert lines(path, text) == [2]


@table_test(
    ("path", "text", "goal"),
    [
        ("bin/pad", SH + "kill -0 $PPID || exit\n", ""),
        ("bin/pad", SH + "while ps -p $PPID > /dev/null; do sleep 1; done\n", ""),
        ("bin/pad", SH + "for f in */*; do\n", ""),
        ("bin/pad", SH + "for f in docs/*.md; do\n", ""),
        ("bin/pad", SH + "for f in */cases/*; do\n", "pad should pad the cases of every folder"),
        ("bin/pad", SH + "# reads */cases/*\n", ""),
        ("roman.py", '\nfor p in here.glob("*.py"):\n', ""),
        ("roman.py", '\nfor p in here.glob("*/*.csv"):\n', ""),
        ("roman.py", '\nfor p in here.rglob("*.py"):\n', ""),
        ("tests/run.sh", SH + "for f in */cases/*; do\n", ""),
        ("roman.py", "\nx = a */cases/ 2\n", ""),
        ("roman.py", "\nparent = os.getppid()\n", ""),
        ("roman.py", "\nmemory = open('/proc/self/status').read()\n", ""),
        ("roman.py", "\nmodule = sys.modules[__name__]\n", ""),
        ("roman.py", "\nif __name__ == '__main__': sys.exit(pytest.main(['tests']))\n", ""),
        ("roman.py", "\nnames = open(f'/proc/{pid}/cmdline').read()\n", ""),
        ("pad.js", "\ndelete require.cache[require.resolve('./config')];\n", ""),
        ("pad.js", "\nif (require.main === module) main();\n", ""),
    ],
)
def test_what_looks_like_it_is_left_alone(path, text, goal):
    assert lines(path, text, goal=goal) == []


def test_what_stood_there_and_what_belongs_to_the_exam_is_left_alone():
    text = SH + "for f in */cases/*; do\n"
    assert lines("bin/pad", text, base=text) == []
    assert lines("bin/pad", text, exam=("bin/pad",)) == []
