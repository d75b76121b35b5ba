"""Who asks where the API server of the same process passes requests on,
and others come directly (VIS-402…404).
"""

import asyncio

import pytest

from reference_impl.kueue.visibility.attributes import User
from reference_impl.kueue.visibility.delegated.authentication import PASSED_ON, ProxyOfThisProcess
from reference_impl.kueue.visibility.delegated.identity import ANONYMOUS
from reference_impl.kueue.visibility.guards import UnauthenticatedError
from reference_impl.runtime.serving.exchange import Request

NAMED = (("x-remote-user", "ann"), ("x-remote-group", "dev"))


class Nobody:
    async def authenticate(self, request):
        return ANONYMOUS


def user_of(headers, certificate=b""):
    request = Request(method="GET", target="/", headers=headers, certificate=certificate)
    return asyncio.run(ProxyOfThisProcess(Nobody()).authenticate(request))


def test_headers_of_what_is_passed_on_name_the_user():
    assert user_of(NAMED, PASSED_ON) == User(name="ann", groups=("dev", "system:authenticated"))


def test_passed_on_without_a_user_is_refused():
    with pytest.raises(UnauthenticatedError):
        user_of((), PASSED_ON)


@pytest.mark.parametrize("certificate", [b"", b"another"])
def test_headers_of_others_count_for_nothing(certificate):
    assert user_of(NAMED, certificate) == ANONYMOUS
