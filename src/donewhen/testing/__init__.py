"""Fakes that ship: a model endpoint that plays a script over real HTTP.

For tests of one's own set-up as for ours: nothing is patched, the client speaks to a socket.
"""

from donewhen.testing.fake import FakeModel
from donewhen.testing.model import Answer, Call, Fault, Reported, Request, Tokens

__all__ = ["Answer", "Call", "FakeModel", "Fault", "Reported", "Request", "Tokens"]
