"""Programs that talk to other machines, as far as a row can't say what they do."""

from collections.abc import Mapping

from donewhen.guard.call import Reader
from donewhen.guard.programs.network import httpie as network_httpie
from donewhen.guard.programs.network import remote as network_remote
from donewhen.guard.programs.network import sockets as network_sockets
from donewhen.guard.programs.network import wget as network_wget
from donewhen.guard.programs.network.curl import curl

READERS: Mapping[str, Reader] = {
    **dict.fromkeys(("curl", "curlie"), curl),
    **network_wget.READERS,
    **network_httpie.READERS,
    **network_sockets.READERS,
    **network_remote.READERS,
}
