"""Authentication of a request: front proxy, then client certificate,
then token, else anonymous (VIS-401…408, VC-18…21).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import time
from typing import Final

from ....runtime.serving.exchange import Request
from ..attributes import User
from ..guards import Authenticator, UnauthenticatedError
from .certificates import CertificateError
from .identity import (
    ANONYMOUS,
    authenticate_certificate,
    authenticate_proxied,
    token_of,
    user_named,
    with_authenticated_group,
)
from .tokens import TokenError, Tokens
from .trust import STANDARD, Trust

# In place of the certificate of a front proxy: no connection leads from one part of a
# process to another.
PASSED_ON: Final = b"passed on within this process"


def real_time() -> datetime:
    """Return the time of day: certificates are valid in real time, whatever clock the control plane
    runs on.
    """
    return datetime.fromtimestamp(time(), UTC)


class DelegatedAuthenticator:
    """Authenticates requests by front proxy, client certificate and token, in this order; the first that
    succeeds counts (VC-19, VC-20).
    """

    def __init__(
        self, trust: Callable[[], Trust], tokens: Tokens, *, current_time: Callable[[], datetime] = real_time
    ) -> None:
        self._trust, self._tokens, self._now = trust, tokens, current_time

    async def authenticate(self, request: Request) -> User:
        """Return the user, `system:anonymous` without credentials. Raises UnauthenticatedError."""
        trust, current_time = self._trust(), self._now()
        problems: list[str] = []
        # The front proxy first: its certificate is a client certificate too, and would
        # name the proxy as the user.
        for authenticate in (authenticate_proxied, authenticate_certificate):
            try:
                user = authenticate(request, trust, current_time)
            except CertificateError as error:
                problems.append(str(error))
            else:
                if user is not None:
                    return with_authenticated_group(user)
        if token := token_of(request):
            try:
                return with_authenticated_group(await self._tokens.user(token))
            except TokenError as error:
                problems.append(str(error))
        # Credentials that are wrong are refused; only none at all make a request
        # anonymous.
        if problems:
            raise UnauthenticatedError("; ".join(problems))
        return ANONYMOUS


class ProxyOfThisProcess:
    """Believes the headers of what the API server of the same process passes on;
    `others` authenticates every other request.
    """

    def __init__(self, fallback: Authenticator) -> None:
        self._others = fallback

    async def authenticate(self, request: Request) -> User:
        """Return the user that the headers name.

        Raises UnauthenticatedError where a request is passed on without one.
        """
        if request.certificate != PASSED_ON:
            return await self._others.authenticate(request)
        user = user_named(request, STANDARD)
        if user is None:
            raise UnauthenticatedError("the front proxy names no user")
        return with_authenticated_group(user)
