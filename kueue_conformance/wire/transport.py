"""The way to an API server that a kubeconfig names, by the official client's connection."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..base.errors import UsageError
from .answer_timeout import answer_timeout, check_answer, no_answer
from .authorization import bearer
from .endpoint import USERS, Endpoint

Transport = Callable[[str, str, Mapping[str, str], bytes | None], tuple[int, bytes]]


def connect(kubeconfig: str, context: str = "") -> Transport:
    """Return the way to send requests to the server a kubeconfig names.

    Raises UsageError when it cannot be read.
    """
    api = _load_api_client(kubeconfig, context)
    pool, host = api.rest_client.pool_manager, api.configuration.host.rstrip("/")

    def send(method: str, path: str, headers: Mapping[str, str], body: bytes | None) -> tuple[int, bytes]:
        from urllib3.exceptions import HTTPError

        # Asked for each request: a token may expire, and the client renews it.
        authorized = {**headers, **bearer(api)}
        try:
            answer = pool.request(
                method, host + path, body=body, headers=authorized, retries=False, timeout=answer_timeout()
            )
        except HTTPError as problem:
            raise no_answer(host, problem) from problem
        check_answer(host, answer.status, answer.data)
        return answer.status, answer.data

    return send


def endpoint(kubeconfig: str, context: str = "") -> Endpoint:
    """Return the server a kubeconfig names, with its user as admin and the others impersonated.

    Raises UsageError.
    """
    api_client = _load_api_client(kubeconfig, context)
    configuration = api_client.configuration
    own = list(bearer(api_client).items())
    users = {
        name: [*own, ("Impersonate-User", name), *(("Impersonate-Group", group) for group in groups)]
        for name, groups in USERS.items()
    }
    return Endpoint(
        url=configuration.host.rstrip("/"),
        # The user of the kubeconfig plays admin: to impersonate system:masters would need more
        # rights than a cluster may give.
        users={**users, "admin": own},
        tls=_tls(configuration),
        anonymous_tls=_tls(configuration, certified=False),
    )


def _tls(configuration: Any, *, certified: bool = True) -> ssl.SSLContext | None:
    if not configuration.host.startswith("https:"):
        return None
    context = ssl.create_default_context(cafile=configuration.ssl_ca_cert)
    if not configuration.verify_ssl:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if certified and configuration.cert_file:
        # A client certificate is a user: without it the same connection is anonymous.
        context.load_cert_chain(configuration.cert_file, configuration.key_file)
    return context


def _load_api_client(kubeconfig: str, context: str) -> Any:
    from kubernetes import config
    from kubernetes.config import ConfigException
    from yaml import YAMLError

    hint = "check the path and the current-context"
    try:
        Path(kubeconfig).read_bytes()
        return config.new_client_from_config(kubeconfig, context=context or None)
    except OSError as problem:
        why = problem.strerror or problem
        raise UsageError(f"the kubeconfig {kubeconfig!r} cannot be read: {why}", hint=hint) from problem
    except (ConfigException, YAMLError, AttributeError, LookupError, TypeError, ValueError) as problem:
        # The official client checks little: a file of another shape ends in whatever Python says about it.
        why = str(problem).strip().partition("\n")[0]
        raise UsageError(f"the kubeconfig {kubeconfig!r} cannot be used: {why}", hint=hint) from problem
