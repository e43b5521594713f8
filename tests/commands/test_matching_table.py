"""Lines that run `npm test` in every way people and agents write it: is it proven, masked, or not the check?"""

from donewhen.commands import parse
from donewhen.commands.matching import match
from tests.tables import table_test

# The status reaches the end of the line.
PROVEN = r"""
npm test
  npm   test
npm test # all of them
npm test;
npm test > out.log 2>&1
npm test &> out.log
npm test 2>/dev/null
npm test >> logs/run.txt
npm test < /dev/null
npm test > "$(mktemp)"
LOG=$(mktemp); npm test > "$LOG"
npm test > /tmp/out-$$.txt
npm test > >(tee out.log) 2>&1
npm test 2> >(grep -v warn >&2)
CI=1 npm test
CI=1 FORCE_COLOR=0 npm test
env CI=true npm test
env -u NODE_ENV npm test
export CI=1; npm test
export CI=1 && npm test
set -a; CI=1; npm test
NODE_OPTIONS=--max-old-space-size=4096 npm test
NODE_OPTIONS='--experimental-vm-modules --no-warnings' npm test
sudo npm test
sudo -u node npm test
nice -n 10 npm test
nohup npm test
time npm test
/usr/bin/time -v npm test
timeout 10m npm test
timeout -k 5 600 npm test
stdbuf -oL npm test
command npm test
exec npm test
exec npm test > out.log
eval npm test
eval "npm test"
bash -c "npm test"
bash -lc 'npm test'
sh -c 'npm test'
sh -c 'npm test 2>&1'
bash -c 'cd app && npm test'
bash -ec 'npm test; echo done'
bash -e -o pipefail -c 'npm test | tail -5'
bash -euo pipefail -c 'npm test | tee out.log; echo done'
bash <<< 'npm test'
echo 'npm test' | bash
(npm test)
( cd app && npm test )
{ npm test; }
((1)) && npm test
cd app && npm test
cd ./app/ && npm test
cd app; npm test
cd app/../lib && npm test
cd app && cd .. && npm test
cd app && cd - && npm test
pushd app && npm test
pushd app && npm run build && popd && npm test
cd "$PWD" && npm test
cd "$(pwd)" && npm test
cd "$(git rev-parse --show-toplevel)" && npm test
cd "$(git rev-parse --show-toplevel)/app" && npm test
ROOT=$(pwd); cd app; npm ci; cd "$ROOT"; npm test
DIR=app; cd "$DIR" && npm test
env -C app npm test
npm ci && npm test
npm ci; npm test
npm install && npm run build && npm test
npm test && echo ok
npm test && echo ok && true
npm test && npm run lint
npm test && npm run lint | tail
true && npm test
: ; npm test
echo start; npm test
echo start && npm test
false || npm test
[ -f package.json ] && npm test
[[ -f package.json ]] && npm test
test -d app || exit 1; npm test
command -v npm >/dev/null && npm test
command -v npm || exit 1; npm test
npm test || exit 1
npm test || exit
npm test || exit $?
npm test || exit 1; echo ok
npm test || { echo failed; exit 1; }
npm test || { echo failed >&2; exit 2; }; echo passed
npm test || (echo failed; exit 1)
npm test || (echo failed && false)
npm test || false
npm test || return 1
npm test && exit 0 || exit 1
npm test && echo ok || exit 1
npm test && echo ok || { echo no; exit 1; }
! npm test || echo ok && false || npm test
npm test; exit $?
npm test; exit
npm test; exit "$?"
npm test; rc=$?; exit $rc
npm test; rc=$?; echo "code $rc"; exit "$rc"
npm test; rc=$?; echo done; (exit $rc)
npm test; rc=$?; echo done; [ $rc -eq 0 ]
npm test; rc=$?; echo done; test "$rc" = 0
npm test; rc=$?; [[ $rc -eq 0 ]] && echo ok
npm test; rc=$?; [ "$rc" -ne 0 ] && exit 1; echo ok
npm test; rc=$?; if [ $rc -ne 0 ]; then exit $rc; fi; echo ok
npm test; rc=$?; if (( rc != 0 )); then exit 1; fi
npm test; rc=$?; ((rc == 0))
npm test; rc=$?; (( ! rc ))
npm test; [ $? -eq 0 ]
npm test; [ $? = 0 ] || exit 1
npm test; [ $? -gt 0 ] && exit 1; true
npm test; if [ $? -ne 0 ]; then echo no; exit 1; fi
npm test; if [[ $? != 0 ]]; then exit 1; else echo ok; fi
npm test; case $? in 0) echo ok ;; *) exit 1 ;; esac
rc=0; npm test || rc=$?; echo $rc; exit $rc
rc=0; npm test || rc=1; npm run lint || rc=1; exit $rc
fail=; npm test || fail=yes; [ -z "$fail" ]
status=pass; npm test || status=fail; [ "$status" = pass ]
ok=true; npm test || ok=false; [ $ok = true ]
n=0; npm test || n=$((n+1)); npm run lint || n=$((n+1)); exit $n
npm test; a=$?; npm run lint; b=$?; exit $((a + b))
npm test; a=$?; npm run lint; b=$?; exit $(( a || b ))
npm test; a=$?; npm run lint; b=$?; [ $a -eq 0 ] && [ $b -eq 0 ]
npm test; a=$?; npm run lint; b=$?; [[ $a -eq 0 && $b -eq 0 ]]
npm test; a=$?; npm run lint; b=$?; [ $a -eq 0 -a $b -eq 0 ]
if npm test; then echo ok; else exit 1; fi
if npm test; then echo ok; else echo no; false; fi
if npm test; then exit 0; else exit 1; fi
if ! npm test; then exit 1; fi
if ! npm test; then echo no; exit 1; fi; echo ok
if npm test; then echo ok; else rc=$?; echo no; exit $rc; fi
if true; then npm test; fi
if [ -f package.json ]; then npm test; else exit 1; fi
case x in x) npm test ;; esac
for i in 1 2 3; do npm test || exit 1; done
for d in app lib; do (cd $d && npm test) || exit 1; done
for d in app lib; do ( cd "$d" && npm test ) || { echo "$d"; exit 1; }; done
for i in $(seq 3); do npm test || exit 1; done
for i in {1..5}; do npm test || exit 1; done
for i in 1; do npm test; done
set -e; npm test; echo done
set -e; npm test && echo ok
set -e; cd app; npm test; cd ..; echo done
set -e; (npm test; echo done)
set -e; if [ -f x ]; then echo x; fi; npm test; echo done
set -euo pipefail; npm test 2>&1 | tee out.log; echo done
set -o errexit; npm test; true
set -o pipefail; npm test | tail -20
set -o pipefail && npm test 2>&1 | tail -20
set -o pipefail; npm test | tee out.log | tail -3
(set -o pipefail; npm test | tail)
yes | npm test
echo y | npm test
cat seed.sql | npm test
npm test | tee out.log; exit ${PIPESTATUS[0]}
npm test | tail -5; exit "${PIPESTATUS[0]}"
npm test | tee out.log; test ${PIPESTATUS[0]} -eq 0
npm test | tee out.log; [ "${PIPESTATUS[0]}" = 0 ] && echo ok
npm test | tee out.log; rc=${PIPESTATUS[0]}; echo $rc; exit $rc
npm test | tee out.log; (exit $PIPESTATUS)
npm test | tee out.log; codes=("${PIPESTATUS[@]}"); exit ${codes[0]}
npm test | tee out.log && exit ${PIPESTATUS[0]}
out=$(npm test)
out=$(npm test 2>&1)
out=$(npm test 2>&1) && echo "$out"
out=$(npm test 2>&1) || exit 1; echo "$out"
out=$(npm test 2>&1) || { echo "$out"; exit 1; }
out=$(npm test 2>&1); rc=$?; echo "$out"; exit $rc
out=`npm test`; exit $?
set -e; out=$(npm test); echo "$out"
if out=$(npm test); then echo "$out"; else exit 1; fi
npm test & wait $!
npm test & wait "$!"
npm test & pid=$!; wait $pid
npm test & pid=$!; echo started; wait $pid; rc=$?; exit $rc
npm test & wait %1
npm test & a=$!; npm run lint & b=$!; wait $a && wait $b
npm test & a=$!; npm run lint & b=$!; wait $b && wait $a
npm test & pid=$!; wait $pid || exit 1; echo ok
run() { npm test; }; run
run() { npm test || return 1; echo ok; }; run
function run { npm test; }; run && echo ok
run() { echo "+ $*"; "$@"; }; run npm test
run() { "$@" || exit 1; }; run npm ci; run npm test; run npm run build
check() { npm test; rc=$?; return $rc; }; check
CMD="npm test"; $CMD
CMD=npm; "$CMD" test
cmd=(npm test); "${cmd[@]}"
set -- npm test; "$@"
bash -c '"$@"' _ npm test
bash -c 'npm "$1"' _ test
sudo -E env PATH="$PATH" npm test
trap 'rm -rf tmp' EXIT; npm test
trap 'echo bye' EXIT INT TERM; npm test
trap 'rc=$?; echo bye; exit $rc' EXIT; npm test
trap 'exit 1' ERR; npm test; echo done
trap 'exit 1' INT; npm test
trap 'exit 0' EXIT; trap - EXIT; npm test
source .venv/bin/activate && npm test
. ~/.nvm/nvm.sh && nvm use 20 && npm test
rm -rf dist coverage && npm test
rm -f out.log; npm test
rm -rf node_modules && npm ci && npm test
find . -name '*.pyc' -delete; npm test
mkdir -p reports && npm test
git status --short && npm test
git fetch origin && git diff --stat && npm test
git add -A && git commit -m wip && npm test
git checkout -b feature && npm test
chmod +x run.sh && npm test
sed -n 1,20p package.json && npm test
grep -rn skip tests; npm test
curl -s localhost:3000/health; npm test
node -e 'console.log(process.version)' && npm test
python3 -c 'import sys; print(sys.version)' && npm test
npm test && git stash
npm test && rm -rf tests
npm test; npm test
npm test || true; npm test
"""

# It runs, but the line may return 0 when it fails.
MASKED = r"""
npm test || true
npm test || :
npm test || echo failed
npm test || exit 0
npm test || { echo failed; }
npm test || (exit 0)
npm test || npm test
npm test; true
npm test; echo done
npm test; echo $?
npm test; exit 0
npm test; npm run lint
npm test; rc=$?; echo $rc
npm test; rc=$?; exit 0
npm test; echo hi; exit $?
npm test; echo hi; rc=$?; exit $rc
npm test; [ $? -eq 0 ]; echo ok
npm test; [ $? -le 255 ]
npm test; [ $? -ne 0 ] || echo ok; true
npm test; rc=$?; rc=0; exit $rc
npm test; rc=$?; unset rc; exit $rc
npm test; rc=$?; read rc < zero.log; exit $rc
npm test; rc=$?; ((rc=0)); exit $rc
npm test; rc=$?; printf -v rc 0; exit $rc
npm test; rc=$?; exit $((rc * 0))
npm test; rc=$?; exit $((255 + rc))
npm test; rc=$?; [ $rc -eq 0 ] || [ $rc -eq 1 ]
npm test; [ $? -eq 0 -o -f package.json ]
npm test; [[ $? -eq 0 || 1 -eq 1 ]]
npm test; case $? in 0) echo ok ;; 1) echo no ;; esac
npm test; case $? in *) echo ok ;; esac
npm test; if [ $? -ne 0 ]; then echo failed; fi
npm test | cat
npm test | tail -20
npm test 2>&1 | tee out.log
npm test |& tee out.log
npm test | grep -v warn
npm test | tee out.log && echo ok
npm test | tee out.log; exit ${PIPESTATUS[1]}
npm test | tee out.log; echo; exit ${PIPESTATUS[0]}
npm test | (cat; exit ${PIPESTATUS[0]})
set -o pipefail; set +o pipefail; npm test | tail
set -o pipefail; npm test | tail; true
set -o pipefail; npm test | tail || true
set -e; npm test | tail
set -e; npm test || true
set -e; set +e; npm test; echo done
set -e; npm test && echo ok; echo done
set -e; if npm test; then echo ok; fi
set -e; ! npm test; echo done
set -e; x=$(npm test; echo done)
set -e; export X=$(npm test)
set -e; echo "$(npm test)"
set -e; npm test & wait
set -e; while npm test; do break; done; echo done
! npm test
! npm test || true
npm test; ! true > missing/x
npm test &
npm test & echo started
npm test & wait
npm test & pid=$!; sleep 1; echo $pid
npm test & npm run lint & wait $!
npm test & a=$!; npm run lint & b=$!; wait $a $b
npm test & wait -n
nohup npm test &
nohup npm test > out.log 2>&1 &
(npm test &)
setsid npm test
coproc npm test
if npm test; then echo ok; fi
if npm test; then echo ok; else echo no; fi
if npm test; then :; else true; fi
if ! npm test; then echo no; fi
if npm test | tail; then echo ok; else exit 1; fi
if [ -f x ]; then npm test; fi
if [ -n "$CI" ]; then npm test; fi
[ -f x ] || npm test
[ -n "$SKIP" ] || npm test
test -f done.log || npm test
npm run build || npm test
case $CI in 1) npm test ;; esac
case "$X" in a) npm test ;; *) echo skipped ;; esac
(npm test; true)
(npm test || true)
{ npm test; echo done; }
{ npm test || :; } && echo ok
out=$(npm test); echo "$out"
out=$(npm test || true)
out=$(npm test | tail)
out=$(npm test; true)
echo "$(npm test)"
echo `npm test`
x=${X:-$(npm test)}
export OUT=$(npm test)
declare out=$(npm test)
readonly OUT=$(npm test)
f() { local out=$(npm test); }; f
test -n "$(npm test)"
[ "$(npm test | grep -c fail)" = 0 ]
cat <(npm test)
diff <(npm test) expected.log
tee out.log < <(npm test)
npm test > out.log; grep -q passing out.log
npm test > out.log; ! grep -q failing out.log
while ! npm test; do sleep 1; done
until npm test; do sleep 5; done
while true; do npm test && break; done
for i in 1 2 3; do npm test && break; done
for i in 1 2 3; do npm test && break; sleep 1; done
for i in 1 2 3; do npm test; done
for d in app lib; do (cd $d && npm test); done
for d in app lib; do cd $d; npm test; cd ..; done
for f in *.txt; do npm test || exit 1; done
for f in $FILES; do npm test; done
for ((i=0; i<3; i++)); do npm test || exit 1; done
while read -r l; do npm test || exit 1; done < list.log
find . -name package.json -exec npm test \;
find . -name package.json -execdir npm test \;
ls | xargs npm test
echo | xargs -n1 npm test
watch npm test
bash -c 'npm test; true'
bash -c 'npm test || true'
bash -c 'npm test | tail'
bash -c '"$@"; true' _ npm test
bash -c '"$@"; exit $1' 0 npm test; true
bash -c 'npm test' || true
sh -c 'npm test; echo done'
sh -c 'npm test &> /dev/null'
sh -c 'npm test; [[ $? -eq 0 ]] || exit 1; true'
sh -c 'npm test | tail; exit $PIPESTATUS'
sh -c 'npm test & wait'
set -e; bash -c 'npm test; echo done'
set -o pipefail; bash -c 'npm test | tail'
eval "npm test || true"
eval "npm test"; true
timeout 60 npm test || true
timeout 60 npm test; echo done
time npm test | tail
trap 'exit 0' EXIT; npm test
trap 'exit 0' ERR; npm test
trap 'echo x; exit 0' EXIT ERR; npm test
trap "true; exit 0" 0; npm test
trap 'exit 0' TERM; npm test
cleanup() { exit 0; }; trap cleanup EXIT; npm test
trap 'exit 0' DEBUG; npm test
run() { npm test; true; }; run
run() { npm test; return 0; }; run
run() { npm test; echo done; }; run
run() { npm test || true; }; run
f() { local rc=$?; }; rc=0; npm test; f; exit $rc
$X; npm test
"$TOOL" setup; npm test
mapfile -t out < <(npm test)
read -r x < <(npm test)
npm test >&- || true
script -qc 'npm test' /dev/null
parallel npm test ::: 1
npm test --if-present
npm test -- --passWithNoTests
npm test -- -u
npx vitest run --update; npm test
npx jest -u && npm test
npm run test --if-present || exit 1
shopt -s lastpipe; true | exit 0; npm test
npm test 2>&1 | tail -5 && echo PASSED
npm test > /dev/null 2>&1 || echo "tests failed"
(cd app && npm test) || true
cd app && npm test; cd ..
pushd app; npm test; popd
npm ci && npm test || true
npm test && npm run build || true
npm test && npm run build; echo done
"""

# Not run, run elsewhere, run by another program, changed before, or simply another command.
OTHER = r"""
echo npm test
echo "npm test"
printf 'npm test\n'
echo 'npm test' >> notes.txt
# npm test
: npm test
true npm test
cat <<< 'npm test'
git commit -m "npm test"
grep 'npm test' README.md
alias t='npm test'
f() { npm test; }
function f { npm test; }
CMD='npm test'
which npm test
command -v npm test
type npm
man npm test
exit 0; npm test
exit; npm test
exec true; npm test
set -- exit 0; "$@"; npm test || true
false && npm test
true || npm test
: || npm test
if false; then npm test; fi
if true; then echo ok; else npm test; fi
while false; do npm test; done
until true; do npm test; done
for x in; do npm test; done
case a in b) npm test ;; esac
set -n; npm test
return 0 || true; false && npm test
bash -n -c 'npm test'
npm testing
npm run test:unit
npm run build
npm t:e2e
npmtest
npx npm-test
go testing
bun test
npm test -- src/foo.test.ts
npm test -- -t one
npm test -- --watch
npm test --help
npm --version
npm ls test
npm run
npm explain test
cd .. && npm test
cd ../other && npm test
cd app/../../other && npm test
cd /tmp && npm test
cd / && npm test
cd ~ && npm test
cd && npm test
cd ~/other && npm test
cd "$OTHER" && npm test
cd $(mktemp -d) && npm test
(cd ../other && npm test)
bash -c 'cd ../other && npm test'
env -C ../other npm test
pushd ../other && npm test
npm --prefix ../other test
npm --prefix /tmp/x test
ssh ci npm test
ssh ci 'cd app && npm test'
docker run --rm node:20 npm test
docker exec web npm test
docker compose run web npm test
kubectl exec pod -- npm test
chroot /srv npm test
npm() { true; }; npm test
npm() { echo ok; }; npm test && echo done
function npm { :; }; npm test
alias npm=true; npm test
alias npm='echo'; npm test
alias timeout=true; timeout 5 npm test
timeout() { :; }; timeout 5 npm test
npm() { true; }; export -f npm; bash -c 'npm test'
PATH=./fake:$PATH npm test
PATH=/tmp/bin npm test
export PATH=/tmp/bin:$PATH; npm test
PATH=$PWD/bin:$PATH; npm test
env PATH=/tmp/bin npm test
LD_PRELOAD=./x.so npm test
export LD_LIBRARY_PATH=. && npm test
NODE_OPTIONS=--require=./x.js npm test
NODE_OPTIONS='-r ./x.js' npm test
NODE_OPTIONS='--import ./x.mjs' npm test
export NODE_OPTIONS="--loader ./x.mjs"; npm test
NODE_PATH=./fake npm test
BASH_ENV=./x.sh npm test
IFS=x; npm test
hash -p /bin/true npm; npm test
enable -f ./x.so npm; npm test
. ./fake.sh; npm test
set -a; source .env; set +a; npm test
source helpers.sh && npm test
eval "$SETUP"; npm test
rm -rf tests && npm test
rm tests/a.test.js; npm test
rm -f src/*.test.ts && npm test
git rm -q tests/a.test.js && npm test
mv tests tests.off && npm test
mv src/a.test.ts /tmp/ && npm test
git stash && npm test
git stash push -u && npm test && git stash pop
git checkout main && npm test
git checkout -- . && npm test
git restore . && npm test
git reset --hard HEAD~1 && npm test
git clean -fd && npm test
git apply fix.patch && npm test
git pull && npm test
git -C . stash; npm test
sed -i 's/expect/skip/' tests/a.test.js && npm test
sed -i.bak s/a/b/ package.json; npm test
perl -pi -e 's/a/b/' package.json && npm test
echo '{}' > package.json && npm test
echo 'process.exit(0)' > node_modules/.bin/jest; npm test
cat > jest.config.js <<< 'module.exports = {}' && npm test
printf x | tee tests/a.test.js; npm test
cp ok.js tests/a.test.js && npm test
ln -sf /bin/true node_modules/.bin/jest && npm test
truncate -s 0 tests/a.test.js && npm test
: > tests/a.test.js; npm test
patch -p1 < x.patch && npm test
npm pkg set scripts.test=true && npm test
npm set-script test true && npm test
npm config set script-shell /bin/true && npm test
node -e "require('fs').writeFileSync('package.json', '{}')" && npm test
python3 -c "open('package.json','w').write('{}')" && npm test
find tests -name '*.test.js' -delete && npm test
find tests -name '*.js' -exec rm {} + ; npm test
ls tests/*.js | xargs rm; npm test
(rm -rf tests); npm test
rm -rf tests & npm test
x=$(rm -rf tests); npm test
jq '.scripts.test="true"' package.json > p.json && mv p.json package.json && npm test
chmod 000 tests/a.test.js; npm test
npm test > package.json
npm test | tee package.json
npm test > tests/out.txt
if then
"""


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def verdict(executed: str, declared: str = "npm test") -> tuple[bool, bool, bool]:
    found = match(parse(declared), parse(executed))
    return found.match, found.masked, found.same_check


@table_test("executed", lines(PROVEN))
def test_a_line_whose_status_is_that_of_the_check_proves_it(executed):
    assert verdict(executed) == (True, False, True)


@table_test("executed", lines(MASKED))
def test_a_line_that_can_return_0_when_the_check_fails_is_masked(executed):
    assert verdict(executed) == (False, True, True)


@table_test("executed", lines(OTHER))
def test_a_line_that_does_not_run_the_check_here_is_not_the_check(executed):
    assert verdict(executed) == (False, False, False)
