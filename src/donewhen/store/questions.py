"""Questions that wait for a human in one repository, and the answers that were given there.

In the user's state folder, outside every workspace, so no agent in a sandbox can answer for a human. What
waits is replaced by each verification; answers are only ever added, and hold by the question's id.
"""

import json
import os
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from donewhen.config.files import read_regular, write_whole
from donewhen.core.errors import SetupError
from donewhen.core.ids import stamp
from donewhen.core.questions import Answer, Question, question_data
from donewhen.core.texts import Language

_LARGEST = 16 * 1024 * 1024
_VERSION = 1


class QuestionStore:
    """`repository`: the id of the user's repository, see `workspace.rooms.places`."""

    def __init__(self, state: Path, repository: str) -> None:
        name = repository
        self._waiting = state / "questions" / f"{name}.json"
        self._answers = state / "questions" / f"{name}.answers"

    def waiting(self) -> tuple[Mapping[str, Any], ...]:
        """The questions of the last verification that nobody answered since."""
        found = read_regular(self._waiting, str(self._waiting), largest=_LARGEST, follow=False)
        try:
            data = json.loads(found.data) if found else {}
            rows = [row for row in data.get("questions", ()) if isinstance(row.get("id"), str)]
        except (ValueError, AttributeError) as error:
            raise SetupError("questions.damaged", path=str(self._waiting), why=error) from None
        known = self.answers()
        return tuple(row for row in rows if row["id"] not in known)

    def put(self, run_id: str, questions: Iterable[Question], language: Language) -> None:
        rows = [question_data(question, language) for question in questions]
        data = {"version": _VERSION, "run": run_id, "questions": rows}
        if rows or self._waiting.exists():
            write_whole(self._waiting, json.dumps(data, ensure_ascii=False).encode(errors="replace"))

    def answers(self) -> dict[str, Answer]:
        """The last answer to each question."""
        found = read_regular(self._answers, str(self._answers), largest=_LARGEST, follow=False)
        answers: dict[str, Answer] = {}
        for line in found.data.splitlines() if found else ():
            try:
                row = json.loads(line)
                answer = Answer(
                    str(row["id"]), row["allowed"] is True, row["by"], row["at"], str(row["because"])
                )
            except (ValueError, KeyError, TypeError) as error:
                raise SetupError("questions.damaged", path=str(self._answers), why=error) from None
            answers[answer.id] = answer
        return answers

    def answer(self, id: str, allowed: bool, by: str, because: str = "") -> Answer:
        given = Answer(id, allowed, by, stamp(time.time()), because)
        self._answers.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        line = json.dumps(given._asdict(), ensure_ascii=False) + "\n"
        handle = os.open(self._answers, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        with os.fdopen(handle, "ab") as file:
            file.write(line.encode(errors="replace"))
            file.flush()
            os.fsync(file.fileno())
        return given
