"""What a file holds, as a digest: to see whether it is still the same. Never waits, never reads it whole."""

import hashlib
import os
import stat
from pathlib import Path


def digest_of(file: Path) -> str:
    """Empty when it is no regular file that can be read."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(handle, "rb") as opened:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return ""
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""
