"""A verdict that still stands: the same question, asked again about the same tree in the same surroundings.

Only what was accepted, or waits for nothing but a human's word, is kept, beside the results of its commands
in the user's state folder. It stands until anything that it rests on differs: tree, base, promise,
configuration, answers, environment, what lies beside the tree, what later runs of the same commands came to.
Then the change is examined as always.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from donewhen import __version__
from donewhen.config.files import read_regular, write_whole
from donewhen.config.paths import state_folder
from donewhen.core.codec import dumps
from donewhen.core.errors import DonewhenError
from donewhen.core.promise_data import write_promise
from donewhen.store.questions import QuestionStore
from donewhen.store.results import Results, forget_old, result_key
from donewhen.verify.exam_run import FORM, RECENT
from donewhen.workspace.environment import command_environment
from donewhen.workspace.setup.digest import environment_digest

if TYPE_CHECKING:
    from donewhen.verify.change import Looked, Means, Wanted
    from donewhen.verify.pipeline import Verification

_VERSION = 2
_LARGEST = 4 * 1024 * 1024


class KeptVerdict(NamedTuple):
    """A verdict as it was printed."""

    run_id: str
    exit_code: int
    text: str
    data: dict[str, Any]


def may_stand(wanted: "Wanted") -> bool:
    """Whether an earlier verdict could answer this: not where somebody wants it made anew, or reviewed."""
    anew = wanted.clean_room or wanted.everything or not wanted.cache
    return not (anew or wanted.record or wanted.review or wanted.reviewer)


def recall_verdict(looked: "Looked", wanted: "Wanted", means: "Means") -> KeptVerdict | None:
    """What this very question was answered with, while nothing that the answer rests on differs."""
    state = state_folder(means.env)
    path = _path(state, _key(looked, wanted, means))
    try:
        found = read_regular(path, str(path), largest=_LARGEST, follow=False)
        kept = json.loads(found.data) if found else {}
        if kept.get("version") != _VERSION or not Path(kept["store"]).exists():
            return None
        results = Results(state / "results")
        if any(_runs(results, key) != runs for key, runs in kept["results"].items()):
            return None
        return KeptVerdict(str(kept["run"]), int(kept["exit"]), str(kept["text"]), dict(kept["data"]))
    except (DonewhenError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None  # what can't be read is made again


def keep_verdict(
    looked: "Looked",
    wanted: "Wanted",
    means: "Means",
    done: "Verification",
    text: str,
    data: Mapping[str, Any],
) -> None:
    """Keep what stands; `looked` is the change as it was before the exam."""
    stands = done.judgement.needs_word or not done.judgement.exit_code
    if not stands or done.place is None or done.change.fingerprint != looked.change.fingerprint:
        return
    state = state_folder(means.env)
    results = Results(state / "results")
    tree, environment = done.place.tree, done.place.environment
    entries = [result.entry for result in done.judgement.commands]
    keys = [result_key(FORM, each.argv, each.cwd, each.env, tree, environment) for each in entries]
    kept = {
        "version": _VERSION,
        "run": done.run_id,
        "exit": done.judgement.exit_code,
        "store": str(done.store),
        "results": {key: _runs(results, key) for key in keys},
        "text": text,
        "data": {
            **data,
            "commands": [{**each, "way": "cached"} for each in data["commands"]],
            "gates": [{**each, "cached": True} for each in data["gates"]],
        },
    }
    write_whole(_path(state, _key(looked, wanted, means)), dumps(kept).encode(errors="replace"))
    forget_old(state / "verdicts", "*.json")


def _path(state: Path, key: str) -> Path:
    return state / "verdicts" / f"{key}.json"


def _runs(results: Results, key: str) -> list[list[object]]:
    """The runs that are known of a command: one more, and what was concluded from them is made again."""
    return [[each.run_id, each.at] for each in results.read(key)]


def _key(looked: "Looked", wanted: "Wanted", means: "Means") -> str:
    """All that a verdict rests on, beside the runs of its commands."""
    rules, change, root = looked.rules, looked.change, looked.repository.root
    promise = write_promise(looked.judged.plan.promise)
    env = command_environment(means.env, rules.config.sandbox.env)
    answers = QuestionStore(state_folder(means.env), looked.places.repo_id).answers()
    return result_key(
        _VERSION,
        __version__,
        means.language,
        str(root),
        looked.repository.branch,
        looked.repository.head,
        change.base,
        (change.fingerprint.tree, change.fingerprint.relevant, change.fingerprint.absent),
        change.conflicts,
        {**promise, "id": ""},
        [(each.identity, each.identity in looked.judged.given) for each in looked.judged.entries],
        [each.identity for each in looked.known],
        looked.profile.name,
        rules.config.model_dump_json(),
        (rules.loaded.digest, rules.loaded.trusted, rules.loaded.files),
        [str(note) for note in looked.notes],
        (wanted.confirmed, wanted.request.permits, wanted.allow_unproven, wanted.base),
        sorted(answers.items()),
        environment_digest(root, (), env),
        looked.fingerprints.beside(within=RECENT),
    )
