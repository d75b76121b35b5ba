"""A client that behaves: JSON over one kept connection."""

import http.client
import json
import ssl

ANSWER_SECONDS = 60.0


class Refused(Exception):
    """An answer that is no success."""


class Client:
    """Asks one site."""

    def __init__(self, site, seconds=ANSWER_SECONDS):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self._connection = (
            http.client.HTTPSConnection("127.0.0.1", site.port, timeout=seconds, context=context)
            if site.tls
            else http.client.HTTPConnection("127.0.0.1", site.port, timeout=seconds)
        )
        self._headers = {"Authorization": f"Bearer {site.token}"} if site.token else {}

    def ask(self, method, path, body=None):
        """Return the decoded answer. Raises Refused, OSError."""
        headers = self._headers | ({"Content-Type": "application/json"} if body is not None else {})
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 400:
            raise Refused(f"{method} {path}: {answer.status} {text[:300]!r}")
        return json.loads(text) if text.startswith((b"{", b"[")) else text

    def get(self, path):
        """Read."""
        return self.ask("GET", path)

    def create(self, path, body):
        """Create an object."""
        return self.ask("POST", path, body)

    def lines(self, path):
        """Yield the events of a watch until it ends."""
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        if answer.status != 200:
            raise Refused(f"{path}: {answer.status}")
        while line := answer.readline():
            yield json.loads(line)

    def close(self):
        """Close the connection."""
        self._connection.close()
