"""Which artifacts an event refers to: what export takes along and gc must not remove."""

from donewhen.core.events import Event


def digests_of(event: Event) -> tuple[str, ...]:
    if event.type == "artifact_kept":
        return (event.body.digest,)
    if event.type == "command_ended" and event.body.output:
        return (event.body.output,)
    return ()
