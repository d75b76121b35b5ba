"""A namespace that is told to go is emptied and goes (FK-344)."""

HELD = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "c", "finalizers": ["example.com/hold"]},
}
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "x"}}


def conditions(world):
    conditions = world.ask("GET", "/api/v1/namespaces/x")["status"]["conditions"]
    return {
        condition["type"]: condition["message"] for condition in conditions if condition["status"] == "True"
    }


def test_an_empty_namespace_goes_at_once_fk_344(world):
    world.ask("POST", "/api/v1/namespaces", NAMESPACE)
    world.ask("DELETE", "/api/v1/namespaces/x")

    assert "x" not in world.names("/api/v1/namespaces")
    assert world.refusals() == []


def test_content_goes_with_its_namespace_fk_344(world):
    world.ask("POST", "/api/v1/namespaces", NAMESPACE)
    world.ask(
        "POST",
        "/api/v1/namespaces/x/secrets",
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}},
    )
    world.ask("DELETE", "/api/v1/namespaces/x")

    assert world.names("/api/v1/secrets") == []


def test_what_is_left_is_told_fk_344(world):
    world.ask("POST", "/api/v1/namespaces", NAMESPACE)
    world.ask("POST", "/api/v1/namespaces/x/configmaps", HELD)
    world.ask("DELETE", "/api/v1/namespaces/x")

    assert conditions(world) == {
        "NamespaceContentRemaining": "Some resources are remaining: configmaps. has 1 resource instances",
        "NamespaceFinalizersRemaining": "Some content in the namespace has finalizers remaining:"
        " example.com/hold in 1 resource instances",
    }


def test_the_namespace_goes_with_its_last_content_fk_344(world):
    world.ask("POST", "/api/v1/namespaces", NAMESPACE)
    world.ask("POST", "/api/v1/namespaces/x/configmaps", HELD)
    world.ask("DELETE", "/api/v1/namespaces/x")
    world.ask("PATCH", "/api/v1/namespaces/x/configmaps/c", {"metadata": {"finalizers": None}})

    assert "x" not in world.names("/api/v1/namespaces")
