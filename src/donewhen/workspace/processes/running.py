"""One command from start to end: within its time, and nothing of it left afterwards, also when cancelled."""

from donewhen.workspace.processes.command import Command, Finished
from donewhen.workspace.processes.live import Live


async def run(command: Command) -> Finished:
    live = Live(command._replace(keep_left=False))  # there is nobody to look after what is left
    try:
        live.start()
        if not await live.wait(command.timeout):
            live.ask("timed_out")
        return await live.finish()
    finally:
        if not live.ended.done():
            live.abandon()
