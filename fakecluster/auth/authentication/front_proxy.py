"""The front proxy: a server that passes requests on and says in headers who asks (FK-390, FK-406, FK-437).

Servers behind this one read from a ConfigMap whom to believe; this one believes the same proxy.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, unquote

import orjson

from ...api.outcome import User
from ...base.json_types import Json
from ..issuers import Issuers

Headers = tuple[tuple[str, str], ...]
USER, GROUP, UID, EXTRA = "X-Remote-User", "X-Remote-Group", "X-Remote-Uid", "X-Remote-Extra-"
HEADER_NAME_SIGNS = "!#$&'*+-.^_`|~"
"""What a header name may hold beside letters and digits."""
HEADERS = {
    "requestheader-extra-headers-prefix": f'["{EXTRA}"]',
    "requestheader-group-headers": f'["{GROUP}"]',
    "requestheader-uid-headers": f'["{UID}"]',
    "requestheader-username-headers": f'["{USER}"]',
}


def identity_headers(user: User) -> Iterator[tuple[str, str]]:
    """Yield the headers that say who asks."""
    yield USER, user.name
    if user.uid:
        yield UID, user.uid
    yield from ((GROUP, group) for group in user.groups)
    yield from (
        (EXTRA + quote(key, safe=HEADER_NAME_SIGNS), value)
        for key, values in user.extra.items()
        for value in values
    )


def user_of_headers(headers: Headers) -> User | None:
    """Return on whose behalf a proxy asks; None when it does not say."""
    name = _first(headers, USER.lower())
    # Without a name there is nobody to act for, whatever the other headers say.
    if not name:
        return None
    prefix, extra = EXTRA.lower(), dict[str, tuple[str, ...]]()
    for key, value in headers:
        if key.startswith(prefix):
            # Escaped by the proxy, as header names know fewer characters than keys.
            plain = unquote(key.removeprefix(prefix))
            extra[plain] = (*extra.get(plain, ()), value)
    groups = tuple(value for key, value in headers if key == GROUP.lower())
    return User(name=name, groups=groups, uid=_first(headers, UID.lower()), extra=extra)


def _first(headers: Headers, name: str) -> str:
    return next((value for key, value in headers if key == name), "")


def authentication(issuers: Issuers) -> Json:
    """Return the ConfigMap `extension-apiserver-authentication` of kube-system."""
    certificates = {"client-ca-file": issuers.clients, "requestheader-client-ca-file": issuers.proxies}
    authorities = {name: pem.decode() for name, pem in certificates.items() if pem}
    names = {"requestheader-allowed-names": orjson.dumps(issuers.names).decode()}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "extension-apiserver-authentication", "namespace": "kube-system"},
        "data": {**HEADERS, **names, **authorities},
    }
