"""The same loop by pydantic-ai. `python -m benchmarks.loops.pydantic_loop URL TURNS RUNS FOLDER`."""

import asyncio
import json
import resource
import sys

from benchmarks.loops.cpu import Clock


async def main(url: str, turns: int, runs: int, folder: str) -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.usage import UsageLimits

    agent = Agent(OpenAIChatModel("m", provider=OpenAIProvider(base_url=f"{url}/v1", api_key="k")))
    clock, marks = Clock(), list[float]()

    @agent.tool_plain
    async def bash(command: str) -> str:
        """Run a command."""
        marks.append(clock.now())
        started = await asyncio.create_subprocess_exec(
            "bash", "--noprofile", "--norc", "-c", command, cwd=folder,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        output, _ = await started.communicate()
        return output.decode()

    limits = UsageLimits(request_limit=None)
    await asyncio.gather(*(agent.run("Fix price.py", usage_limits=limits) for _ in range(runs)))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": marks[-1] - marks[0], "peak": peak, "exact": clock.exact}))
    clock.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
