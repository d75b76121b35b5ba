"""What servers behind this one read to trust the requests it passes on (FK-406)."""

from __future__ import annotations

from typing import Any

Json = Any
HEADERS = {
    "requestheader-allowed-names": '["front-proxy-client"]',
    "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
    "requestheader-group-headers": '["X-Remote-Group"]',
    "requestheader-uid-headers": '["X-Remote-Uid"]',
    "requestheader-username-headers": '["X-Remote-User"]',
}


def authentication(ca: bytes) -> Json:
    """Return the ConfigMap `extension-apiserver-authentication` of kube-system."""
    authority = {"client-ca-file": ca.decode(), "requestheader-client-ca-file": ca.decode()} if ca else {}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "extension-apiserver-authentication", "namespace": "kube-system"},
        "data": {**HEADERS, **authority},
    }
