"""What stands outside the strings of a JSON text: the signs that show how many keys and values it has."""


def outside_strings(text: bytes) -> bytes:
    """Return a JSON text without its strings; whatever its escapes, that takes milliseconds a megabyte."""
    unescaped = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    return b"".join(unescaped.split(b'"')[::2])
