"""What objects that name a Service are told of its authority."""

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime.serving.trust import in_conversion, in_webhooks

SERVICE = Key("kueue-system", "hook")


def client(name="hook", **rest):
    return {"service": {"namespace": "kueue-system", "name": name, "path": "/x", "port": 443}, **rest}


def definition(client_config):
    conversion = {"strategy": "Webhook", "webhook": {"clientConfig": client_config}}
    return {"spec": {"conversion": conversion}}


def configuration(**clients):
    return {"webhooks": [{"name": name, "clientConfig": client} for name, client in clients.items()]}


TOLD = {"caBundle": "new"}
IN_A_DEFINITION = {"spec": {"conversion": {"webhook": {"clientConfig": TOLD}}}}


@pytest.mark.parametrize(
    ("trusting", "caller", "expected"),
    [
        pytest.param(in_conversion, definition(client()), IN_A_DEFINITION, id="definition"),
        pytest.param(
            in_conversion,
            definition(client(caBundle="old")),
            IN_A_DEFINITION,
            id="definition that trusts another",
        ),
        pytest.param(in_conversion, definition(client(caBundle="new")), {}, id="definition that knows"),
        pytest.param(
            in_conversion, {"spec": {"conversion": {"strategy": "None"}}}, {}, id="definition without webhook"
        ),
        pytest.param(
            in_conversion, definition({"url": "https://127.0.0.1:1/convert"}), {}, id="definition with a URL"
        ),
        pytest.param(
            in_webhooks,
            configuration(a=client(), b=client(caBundle="new")),
            {"webhooks": [{"name": "a", "clientConfig": TOLD}, {"name": "b", "clientConfig": TOLD}]},
            id="configuration",
        ),
        pytest.param(in_webhooks, configuration(a=client(caBundle="new")), {}, id="configuration that knows"),
        pytest.param(in_webhooks, {}, {}, id="configuration without webhooks"),
        pytest.param(
            in_webhooks,
            configuration(a=client(), other=client("other")),
            {"webhooks": [{"name": "a", "clientConfig": TOLD}]},
            id="webhook of another Service",
        ),
    ],
)
def test_what_a_caller_is_told(trusting, caller, expected):
    assert trusting(caller, SERVICE, "new") == expected
