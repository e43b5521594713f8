"""The same through `donewhen run`, sandbox off. `python -m benchmarks.loops.ours URL TURNS RUNS FOLDER HOME`."""

import asyncio
import json
import os
import resource
import sys
from pathlib import Path

from benchmarks.loops.cpu import Clock
from donewhen.agents.llm import llm_agent
from donewhen.core.events import Body
from donewhen.core.events.run import TurnStarted
from donewhen.intake.request import Request
from donewhen.run.approvals_askers import Nobody
from donewhen.run.engine.model import People, Wish
from donewhen.run.engine.starting import run_goal
from donewhen.verify.change import Means


async def main(url: str, turns: int, runs: int, folder: str, home: str) -> None:
    env = environment(home)
    settings = (
        f"loop.max_turns={turns}", "loop.max_tool_calls=5000", "budget.total=1000", "sandbox.mode=off",
        "tools.llm.provider=custom", "tools.llm.model=m", f"tools.llm.base_url={url}/v1",
        "context.max_tokens=1000000", "verification.semantic.enabled=false",
    )  # fmt: skip
    clock, begun, ended = Clock(), list[float](), list[float]()

    def watch(body: Body) -> None:
        if isinstance(body, TurnStarted) and body.turn in (2, turns):
            (begun if body.turn == 2 else ended).append(clock.now())

    request = Request("Fix price.py", accept=("python3 -m unittest",))
    wish = Wish(request, lambda config: llm_agent(config, env, Path(home) / "cache"))
    means = Means(Path(folder), env, settings)
    await asyncio.gather(*(run_goal(wish, means, People(Nobody(), watch)) for _ in range(runs)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": max(ended) - min(begun), "peak": peak, "exact": clock.exact}))
    clock.close()


def environment(home: str) -> dict[str, str]:
    folders = {f"DONEWHEN_{name}_DIR": f"{home}/{name.lower()}" for name in ("STATE", "CACHE", "CONFIG")}
    identity = {f"GIT_{who}_{what}": "bench" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return {"PATH": os.environ["PATH"], "HOME": home, "OPENAI_API_KEY": "k", **identity, **folders}


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5]))
