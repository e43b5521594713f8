"""Whom a connection trusts: SSL_CERT_FILE or SSL_CERT_DIR, else the authorities of the system."""

import asyncio
import os
import re
import ssl
import sys
from functools import cache
from pathlib import Path

from donewhen.agents.models.endpoint_transport import NotReached

_HASHED = re.compile(r"[0-9a-fA-F]{8}\.\d")
_USUAL_FILES = (
    "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
)


async def tls_context() -> ssl.SSLContext:
    """Reading all authorities may take a tenth of a second: once for all lines, and beside the loop."""
    named = os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", "")
    try:
        return await asyncio.to_thread(_context, *named)
    except OSError as error:
        place = "SSL_CERT_FILE" if named[0] else "SSL_CERT_DIR" if named[1] else "the system"
        raise NotReached(f"the certificate authorities of {place} can't be read: {error.strerror}") from None


@cache
def _context(file: str, folder: str) -> ssl.SSLContext:
    context = _trusting(file, folder)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def _trusting(file: str, folder: str) -> ssl.SSLContext:
    if file:
        return ssl.create_default_context(cafile=file)
    if folder:
        return ssl.create_default_context(capath=folder)
    if sys.platform == "darwin":
        try:
            import truststore  # the keychain is not in files
        except ImportError:
            pass
        else:
            return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return ssl.create_default_context(cafile=_system_file(), capath=_system_folder())


def _system_file() -> str | None:
    """The file with the authorities of the system, where they are not in a folder alone; else certifi's."""
    own = ssl.get_default_verify_paths().openssl_cafile
    if Path(own).is_file() or _system_folder():
        return own if Path(own).is_file() else None
    return next((each for each in _USUAL_FILES if Path(each).is_file()), None) or _certifi()


def _system_folder() -> str | None:
    own = ssl.get_default_verify_paths().openssl_capath
    return own if _has_authorities(Path(own)) else None


def _has_authorities(folder: Path) -> bool:
    try:
        return any(_HASHED.fullmatch(each) for each in os.listdir(folder))  # noqa: PTH208 - names alone
    except OSError:
        return False


def _certifi() -> str | None:
    try:
        import certifi
    except ImportError:
        return None
    return certifi.where()
