"""What a caller of webhooks is told of their authority."""

import pytest

from reference_impl.api.resource import Key
from reference_impl.webhooks.trust import trusting

SERVICE = Key("kueue-system", "hook")


def client(name="hook", **rest):
    return {"service": {"namespace": "kueue-system", "name": name, "path": "/x", "port": 443}, **rest}


def definition(client_config):
    conversion = {"strategy": "Webhook", "webhook": {"clientConfig": client_config}}
    return {"spec": {"conversion": conversion}}


def configuration(**clients):
    return {"webhooks": [{"name": name, "clientConfig": one} for name, one in clients.items()]}


TOLD = {"caBundle": "new"}
IN_A_DEFINITION = {"spec": {"conversion": {"webhook": {"clientConfig": TOLD}}}}


@pytest.mark.parametrize(
    ("caller", "told"),
    [
        pytest.param(definition(client()), IN_A_DEFINITION, id="definition"),
        pytest.param(
            definition(client(caBundle="old")), IN_A_DEFINITION, id="definition that trusts another"
        ),
        pytest.param(definition(client(caBundle="new")), {}, id="definition that knows"),
        pytest.param({"spec": {"conversion": {"strategy": "None"}}}, {}, id="definition without webhook"),
        pytest.param(definition({"url": "https://127.0.0.1:1/convert"}), {}, id="definition with a URL"),
        pytest.param(
            configuration(a=client(), b=client(caBundle="new")),
            {"webhooks": [{"name": "a", "clientConfig": TOLD}, {"name": "b", "clientConfig": TOLD}]},
            id="configuration",
        ),
        pytest.param(configuration(a=client(caBundle="new")), {}, id="configuration that knows"),
        pytest.param(
            configuration(a=client(), other=client("other")),
            {"webhooks": [{"name": "a", "clientConfig": TOLD}]},
            id="webhook of another Service",
        ),
    ],
)
def test_what_a_caller_is_told(caller, told):
    assert trusting(caller, SERVICE, "new") == told
