"""The floor: httpx2 and subprocess, nothing else. `python -m benchmarks.loops.bare URL TURNS RUNS FOLDER`."""

import asyncio
import json
import resource
import sys

from benchmarks.loops.cpu import Clock

_TOOL = {
    "type": "function",
    "function": {
        "name": "run_command",
        "description": "Run a command.",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}},
    },
}


async def loop(client: object, url: str, turns: int, folder: str, clock: Clock, marks: list[float]) -> None:
    import httpx2

    assert isinstance(client, httpx2.AsyncClient)
    messages: list[dict[str, object]] = [{"role": "user", "content": "Fix price.py"}]
    for turn in range(turns):
        if turn == 1:
            marks.append(clock.now())
        body = {"model": "m", "messages": messages, "tools": [_TOOL]}
        answer = (await client.post(f"{url}/v1/chat/completions", json=body)).json()
        message = answer["choices"][0]["message"]
        messages.append(message)
        for call in message["tool_calls"]:
            command = json.loads(call["function"]["arguments"])["command"]
            started = await asyncio.create_subprocess_exec(
                "bash", "--noprofile", "--norc", "-c", command, cwd=folder,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            output, _ = await started.communicate()
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": output.decode()})


async def main(url: str, turns: int, runs: int, folder: str) -> None:
    import httpx2

    clock, marks = Clock(), list[float]()
    async with httpx2.AsyncClient(timeout=60, limits=httpx2.Limits(max_connections=runs)) as client:
        await asyncio.gather(*(loop(client, url, turns, folder, clock, marks) for _ in range(runs)))
    used = clock.now() - min(marks)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": used, "peak": peak, "exact": clock.exact}))
    clock.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
