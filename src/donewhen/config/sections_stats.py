"""What the key figures of `stats` should be; nothing that an agent may do hangs on them."""

from typing import Annotated

from pydantic import Field

from donewhen.config.fields import Section, key, section
from donewhen.config.kinds import LARGEST, Count, Money, Ratio, Seconds
from donewhen.config.rules import FREE

Figure = Annotated[float, Field(ge=0, le=LARGEST)]


class Targets(Section):
    success: Ratio = key(0.8, FREE, "Accepted of ended runs: above.")
    corrections: Figure = key(2.0, FREE, "Refused claims of a run, mean: below.")
    handed_over: Ratio = key(0.2, FREE, "Runs that a human was called to: below.")
    time: Seconds = key(600.0, FREE, "Seconds that a run lived, median: below.")
    cost: Money = key(2.0, FREE, "US dollars of a run, mean: below.")
    compression: Figure = key(3.0, FREE, "Tokens said to tokens sent where history was compressed: above.")
    verification: Ratio = key(0.9, FREE, "Verdicts and checks that passed: above.")


class Stats(Section):
    targets: Targets = section(FREE, "What the key figures should be.")
    least_runs: Count = key(5, FREE, "Runs of which a figure must be taken before `--check` fails for it.")
