"""What a scan reports. A finding says where a secret is and why it is one; it never carries the secret."""

from typing import NamedTuple


class Finding(NamedTuple):
    path: str
    line: int  # of the new file; 0 when the file as a whole is the reason
    rule: str
    excerpt_redacted: str
