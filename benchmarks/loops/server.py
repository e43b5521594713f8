"""A model taken out: answers every request at once with the next command, and notes when what came.

`python -m benchmarks.loops.server KIND TURNS RUNS` prints its port; nobody is answered before `RUNS` have asked. `KIND` is how the client wants its commands:
`donewhen`, `bash` (a tool `bash`), or `text` (a block in the text, for agents without tools). `GET /gaps` gives the
milliseconds between each answer and the request after it.
"""

import asyncio
import json
import re
import sys
import time

TOOLS = {"donewhen": ("run_command", "command"), "bash": ("bash", "command")}
_LENGTH = re.compile(rb"\r\nContent-Length: *(\d+)", re.IGNORECASE)


class Played:
    def __init__(self, kind: str, turns: int, runs: int) -> None:
        self.kind = kind
        self.awaited = runs
        self.all_there = asyncio.Event()
        self.turns = turns
        self.number = 0
        self.sent: float | None = None
        self.gaps: list[float] = []
        self.asked: float | None = None  # when the first request was there

    async def gather(self) -> None:
        """Until all who will ask have asked: what opens a run is not part of its turns."""
        self.asked = self.asked or time.time()
        self.awaited -= 1
        if self.awaited <= 0:
            self.all_there.set()
        await self.all_there.wait()

    def answer(self, stream: bool, now: float) -> bytes:
        if self.sent is not None:
            self.gaps.append((now - self.sent) * 1000)
        self.number += 1
        words = f"cat f7.txt # {self.number}"
        return self._streamed(words) if stream else self._whole(words)

    def _message(self, words: str) -> dict[str, object]:
        if self.kind == "text":
            return {"role": "assistant", "content": f"I look.\n\n```mswea_bash_command\n{words}\n```"}
        tool, argument = TOOLS[self.kind]
        if self.kind == "bash" and self.number > self.turns:
            return {"role": "assistant", "content": "over"}
        call = {"name": tool, "arguments": json.dumps({argument: words})}
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"index": 0, "id": f"c{self.number}", "type": "function", "function": call}],
        }

    def _usage(self) -> dict[str, int]:
        return {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}

    def _whole(self, words: str) -> bytes:
        message = self._message(words)
        reason = "tool_calls" if "tool_calls" in message else "stop"
        choice = {"index": 0, "message": message, "finish_reason": reason}
        body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        data = json.dumps(body | {"usage": self._usage()}).encode()
        return _head("application/json", len(data)) + data

    def _streamed(self, words: str) -> bytes:
        message = self._message(words)
        reason = "tool_calls" if "tool_calls" in message else "stop"
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        chunks = [
            head | {"choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            head | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
            head | {"choices": [], "usage": self._usage()},
        ]
        data = (
            b"".join(b"data: " + json.dumps(each).encode() + b"\n\n" for each in chunks) + b"data: [DONE]\n\n"
        )
        return _head("text/event-stream", len(data)) + data


def _head(kind: str, size: int) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {size}\r\n\r\n".encode()


async def serve(played: Played) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            try:
                head = await reader.readuntil(b"\r\n\r\n")
                found = _LENGTH.search(head)
                body = await reader.readexactly(int(found[1]) if found else 0)
            except (asyncio.IncompleteReadError, ConnectionError):
                break
            now = time.perf_counter()
            if head.startswith(b"GET /gaps"):
                data = json.dumps({"gaps": played.gaps, "asked": played.asked}).encode()
                writer.write(_head("application/json", len(data)) + data)
            else:
                await played.gather()
                writer.write(played.answer(b'"stream":true' in body.replace(b" ", b""), now))
                played.sent = time.perf_counter()
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=64 * 1024 * 1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(Played(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
