"""How a request of ours says who it comes from, with the client's bearer token."""

from __future__ import annotations

from typing import Any


def bearer(api: Any) -> dict[str, str]:
    """Return the header with the token of an ApiClient, none without a token.

    The client's own `update_params_for_auth` has other parameters in each generation of the client.
    """
    token = api.configuration.auth_settings().get("BearerToken")
    return {token["key"]: token["value"]} if token else {}
