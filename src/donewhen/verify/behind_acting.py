"""Which command of a test script is the test, where none of them is a runner that is known.

By tables: compilers, installers and what copies, prints, reports or clears away are no tests; any other
program may be one. A program whose name says that it prepares or ends something is taken for the test only
where there is nothing else.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from donewhen.core.commands.invocation import Invocation
from donewhen.core.commands.tools.names import program_name

Part = Literal["test", "weak", "asks", "none"]  # asks: a question to text or files, which may be the test

_NONE = frozenset(
    """
    echo printf true : false exit return cd pushd popd set sleep pwd dirs shopt ulimit umask alias unalias
    export unset local declare readonly typeset read shift getopts trap wait jobs bg fg disown date env
    printenv hostname uname id whoami nproc getconf tput stty clear basename dirname realpath readlink seq
    expr yes time type which hash command whereis locale ls tree du df stat file ps top free lsof
    tee cat tail head less more sed sort uniq tr cut wc column nl fold ts tac rev paste iconv strings pv
    ccze bunyan pino-pretty xcpretty xcbeautify go-junit-report logger gzip gunzip bzip2 xz zstd sponge
    mkdir rmdir rm rimraf del unlink shred mv cp rsync install ln touch chmod chown chgrp mktemp truncate dd
    find tar zip unzip cpio cpx copyfiles cpy cpy-cli del-cli trash shx mkdirp ncp patch
    source . activate deactivate nvm pyenv rbenv asdf virtualenv venv
    kill pkill killall fuser fkill kill-port trap reset sync udevadm mount umount systemctl service
    apt apt-get aptitude dpkg yum dnf apk pacman brew port snap choco winget pip pip3 pipx easy_install gem
    bower jspm volta n corepack lerna-bootstrap husky lint-staged is-ci opencollective patch-package
    cc gcc clang g++ c++ clang++ cl tcc icc nvcc ld ar ranlib nm strip objcopy objdump as nasm yasm
    rustc javac kotlinc scalac ghc ocamlc ocamlopt fpc gfortran valac swiftc mcs csc dmd ldc2 gdc
    webpack rollup esbuild parcel swc babel vite browserify uglifyjs terser sass node-sass lessc postcss
    node-gyp node-pre-gyp prebuildify ncc pkg tsup unbuild microbundle bili protoc buf thrift flex bison lex
    yacc m4 autoconf automake autoreconf aclocal libtoolize configure qmake premake5 gyp gn
    codecov coveralls codeclimate cc-test-reporter gcov gcovr lcov genhtml llvm-cov llvm-profdata grcov
    reportgenerator allure open xdg-open notify-send say Xvfb opener sonar-scanner
    terminal-notifier growlnotify sha256sum md5sum base64 xxd od hexdump gpg openssl ssh-keygen""".split()
)
_ASKS = frozenset("grep egrep fgrep zgrep rg ag awk gawk mawk jq diff cmp comm xmllint pgrep pidof".split())
_WEAK = frozenset("curl wget http nc ssh scp aws gcloud az terraform ansible-playbook".split())
# Programs of many commands: those words after which they may test; everything else only prepares or reports.
_ONLY: Mapping[str, frozenset[str]] = {
    "docker": frozenset(("run", "exec", "compose")),
    "conda": frozenset(("run",)),
    "mamba": frozenset(("run",)),
    "podman": frozenset(("run", "exec", "compose")),
    "docker-compose": frozenset(("run", "exec", "up")),
    "kubectl": frozenset(("exec", "run")),
    "git": frozenset(("diff", "grep", "fsck", "bisect")),
    "go": frozenset(("run", "test", "tool")),
    "cargo": frozenset(
        ("run", "test", "bench", "nextest", "xtask", "hack", "miri", "make", "llvm-cov", "r", "t")
    ),
    "dotnet": frozenset(("run", "test", "exec", "vstest")),
    "coverage": frozenset(("run",)),
    "conan": frozenset(("test",)),
    "meson": frozenset(("test", "devenv")),
    "poetry": frozenset(("run",)),
    "pipenv": frozenset(("run",)),
    "bundle": frozenset(("exec",)),
    "uv": frozenset(("run",)),
    "stack": frozenset(("test", "exec", "runghc", "run")),
    "cabal": frozenset(("test", "run", "exec", "bench")),
    "mix": frozenset(("test", "run", "check")),
    "dune": frozenset(("test", "runtest", "exec")),
    "swift": frozenset(("test", "run")),
    "flutter": frozenset(("test", "drive")),
    "dart": frozenset(("test", "run")),
    "nyc": frozenset(("check-coverage",)),
}
_APART = frozenset("-d --detach --version --help -V".split())  # it goes on beside, or only tells
_NOT_MODULES = frozenset("pip venv virtualenv build ensurepip compileall webbrowser http coverage".split())
_SETUP = frozenset("build build_ext build_py develop install sdist bdist_wheel clean egg_info".split())
_MANAGERS = frozenset("npm pnpm yarn bun".split())
_RUNS = frozenset("run run-script exec x test t tst start dlx workspaces workspace".split())
_MAKES = frozenset("make gmake ninja just rake task".split())
_BUILDERS = frozenset("cmake gradle gradlew mvn mvnw ant bazel scons waf".split())
_WITH_VALUE = frozenset("-C -f -j -o --directory --file --makefile".split())
_TESTS = frozenset(
    """test tests testing tester spec specs unit unittest unittests check checks verify validate e2e
    integration selftest smoke regress regression conformance it suite exam""".split()
)
_ASIDE = frozenset(
    """
    build rebuild compile bundle install reinstall setup prepare prep bootstrap init configure autogen
    generate codegen gen download fetch update upgrade deps dependencies start serve server up wait
    launch migrate seed clean cleanup clear teardown stop down kill remove purge restore delete destroy prune
    report reports upload coverage cov publish notify summary badge log logs deploy release package pack docs
    doc dist all format fmt version help info open show print html lcov""".split()
)
INTERPRETERS = frozenset("python node sh bash ruby perl php tsx ts-node".split())
_SPLIT = re.compile(r"[^A-Za-z0-9]+")
_LONGEST = 400


def part_of(invocation: Invocation) -> Part:
    """What a command behind which nothing is known may be to a test script."""
    if not invocation.words[0].known:
        return "test"
    words = [word.text[:_LONGEST] for word in invocation.words]
    program = program_name(words[0])[0]
    rest = words[1:]
    if program in _NONE:
        return "none"
    if program in _ASKS:
        return "asks"
    if program in _ONLY:
        return _of_many(program, rest)
    if program == "python":
        return "none" if _prepares_python(rest) else "test"
    if program in _MANAGERS and not _RUNS.intersection(rest[:2]):
        return "none"
    if program in _BUILDERS:
        return "test" if _parts(rest) & _TESTS else "none"
    if program in _MAKES:
        return _made(rest)
    return "weak" if program in _WEAK else by_name(words)


def by_name(words: Sequence[str]) -> Part:
    """What the name of a script or of a program says of it."""
    program = program_name(words[0])[0]
    if program in ("node", "sh", "bash", "ruby", "perl", "php", "tsx", "ts-node", *_MANAGERS, *_MAKES):
        named = [word for word in words[1:] if word[:1] != "-" and word not in _RUNS]
        return _said(named[:1])
    return _said([program])


def _said(words: Sequence[str]) -> Part:
    parts = _parts(words)
    return "test" if parts & _TESTS or not parts & _ASIDE else "weak"


def _parts(words: Sequence[str]) -> set[str]:
    last = (word.rstrip("/").rpartition("/")[2] for word in words if "=" not in word)
    return {part.lower() for word in last for part in _SPLIT.split(word) if part}


def _made(rest: Sequence[str]) -> Part:
    """make and its like: without a target, or with those that only build, nothing is tested."""
    pairs = zip(("", *rest), rest, strict=False)
    targets = [
        word for before, word in pairs if word[:1] != "-" and before not in _WITH_VALUE and "=" not in word
    ]
    return "test" if any(_said([target]) == "test" for target in targets) else "none"


def _of_many(program: str, rest: Sequence[str]) -> Part:
    named = [word for word in rest if word[:1] != "-"]
    if _APART.intersection(rest) or not named or named[0] not in _ONLY[program]:
        return "none"
    if named[0] == "compose":
        return _of_many("docker-compose", rest[rest.index("compose") + 1 :])
    return "asks" if program == "git" else "test"


def _prepares_python(rest: Sequence[str]) -> bool:
    if rest[:1] == ["-m"]:
        return rest[1:2] != [] and rest[1].partition(".")[0] in _NOT_MODULES
    return rest[:1] == ["setup.py"] and bool(_SETUP.intersection(rest))
