"""A small operator: each Website gets a Deployment with its replicas, whose name stands in its status.

`python websites.py` is right. `python websites.py --generate-names` has a bug that no test finds in which nothing goes wrong: the
server generates the Deployment's name, and whether there is one already is what the cache says.
"""

import sys
import threading
from collections.abc import Callable
from typing import Any

from kubernetes import client, config, watch
from kubernetes.client import ApiException
from urllib3.exceptions import HTTPError

WEBSITES = {"group": "example.com", "version": "v1", "plural": "websites"}
CONFLICT = 409
RETRY_SECONDS = 0.1
Object = dict[str, Any]


class Cache:
    """The objects that a list and then a watch show."""

    def __init__(self, api: client.ApiClient, list_all: Callable[..., Any], changed: threading.Event) -> None:
        self.api, self.list_all, self.changed = api, list_all, changed
        self.objects: dict[tuple[str, str], Object] = {}

    def fill(self) -> str:
        """List what there is, and return the revision of the list."""
        # As informers do: an answer from the API server's cache is good enough.
        listed = self.api.sanitize_for_serialization(self.list_all(resource_version="0"))
        self.objects = {key_of(item): item for item in listed["items"]}
        self.changed.set()
        return listed["metadata"]["resourceVersion"]

    def follow(self) -> None:
        """Keep up to date for ever; after any trouble list again."""
        while True:
            try:
                for event in watch.Watch().stream(self.list_all, resource_version=self.fill()):
                    item = event["raw_object"]
                    if event["type"] == "DELETED":
                        self.objects.pop(key_of(item), None)
                    else:
                        self.objects[key_of(item)] = item
                    self.changed.set()
            except (ApiException, HTTPError):
                threading.Event().wait(RETRY_SECONDS)


class Operator:
    """Reconciles every Website whenever something has changed."""

    def __init__(self, api: client.ApiClient, generate_names: bool) -> None:
        self.api, self.generate_names = api, generate_names
        self.apps, self.custom = client.AppsV1Api(api), client.CustomObjectsApi(api)
        self.changed = threading.Event()
        self.websites = Cache(api, self.list_websites, self.changed)
        self.deployments = Cache(api, self.apps.list_deployment_for_all_namespaces, self.changed)

    def list_websites(self, **options: Any) -> Any:
        """List all Websites, or watch them."""
        return self.custom.list_cluster_custom_object(**WEBSITES, **options)

    def run(self) -> None:
        """Fill both caches, then reconcile for ever."""
        for cache in (self.deployments, self.websites):
            cache.fill()
            threading.Thread(target=cache.follow, daemon=True).start()
        while self.changed.wait():
            self.changed.clear()
            for website in tuple(self.websites.objects.values()):
                try:
                    self.reconcile(website)
                except (ApiException, HTTPError) as error:
                    print(f"{key_of(website)}: {error}", file=sys.stderr)
                    threading.Event().wait(RETRY_SECONDS)
                    self.changed.set()

    def reconcile(self, website: Object) -> None:
        """Bring the Deployment of a Website and its status about."""
        namespace, name = key_of(website)
        deployment = self.deployment_of(website)
        if deployment is None:
            # Its event calls for what comes next.
            self.create_deployment(website)
            return
        replicas, deployment_name = website["spec"]["replicas"], deployment["metadata"]["name"]
        if deployment["spec"]["replicas"] != replicas:
            self.apps.patch_namespaced_deployment(
                deployment_name, namespace, {"spec": {"replicas": replicas}}
            )
        status = {"deployment": deployment_name}
        if website.get("status") != status:
            about = WEBSITES | {"namespace": namespace, "name": name}
            self.custom.patch_namespaced_custom_object_status(**about, body={"status": status})

    def deployment_of(self, website: Object) -> Object | None:
        """Return the Deployment of a Website, as far as the cache has it."""
        uid = website["metadata"]["uid"]
        for deployment in tuple(self.deployments.objects.values()):
            if any(owner["uid"] == uid for owner in deployment["metadata"].get("ownerReferences", ())):
                return deployment
        return None

    def create_deployment(self, website: Object) -> None:
        """Create the Deployment of a Website."""
        namespace, name = key_of(website)
        owner = {"apiVersion": "example.com/v1", "kind": "Website", "name": name, "controller": True}
        owner["uid"] = website["metadata"]["uid"]
        own_name = {"generateName": f"web-{name}-"} if self.generate_names else {"name": f"web-{name}"}
        labels, containers = {"website": name}, [{"name": "web", "image": "nginx"}]
        template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
        spec = {
            "replicas": website["spec"]["replicas"],
            "selector": {"matchLabels": labels},
            "template": template,
        }
        deployment = {"metadata": own_name | {"ownerReferences": [owner]}, "spec": spec}
        try:
            self.apps.create_namespaced_deployment(namespace, deployment)
        except ApiException as error:
            # With that name it is there, and the cache does not have it yet.
            if error.status != CONFLICT:
                raise


def key_of(item: Object) -> tuple[str, str]:
    """Return the namespace and name of an object."""
    return item["metadata"]["namespace"], item["metadata"]["name"]


if __name__ == "__main__":
    config.load_kube_config()
    with client.ApiClient() as api_client:
        Operator(api_client, "--generate-names" in sys.argv).run()
