"""Two users with a namespace each, bound to the printed role for users:
what they do, and what they may (VIS-442, VIS-451).
"""

import json

from .story import KUEUE, is_, job, kueue_object

ROLE = "kueue-batch-user-role"
HOMES = {"alice": "team-a", "bob": "team-b"}
OWN, OTHER, EVERY, NONE = "their own namespace", "the other's", "all namespaces", "no namespace"
MAY = [
    ("GET", "workloads", OWN, 200), ("GET", "workloads", OTHER, 403), ("GET", "workloads", EVERY, 403),
    ("DELETE", "workloads", OWN, 403), ("POST", "workloads", OWN, 403), ("GET", "localqueues", OWN, 200),
    ("POST", "localqueues", OWN, 403), ("GET", "localqueues", OTHER, 403), ("GET", "clusterqueues", NONE, 403),
    ("POST", "clusterqueues", NONE, 403), ("GET", "jobs", OWN, 200), ("POST", "jobs", OTHER, 403), ("DELETE", "jobs", OTHER, 403),
]  # fmt: skip
"""Verb, resource, where, and the code of the answer."""


class Users:
    """The two on a cluster: `send` asks its API server as an administrator."""

    def __init__(self, send):
        self._send = send

    def settle(self):
        """Make a queue in each namespace, both of one ClusterQueue, and bind the users."""
        self.ask("POST", f"{KUEUE}/resourceflavors", kueue_object("ResourceFlavor", "users"))
        quota = {"name": "cpu", "nominalQuota": "4"}
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "users", "resources": [quota]}]}]
        spec = {"namespaceSelector": {}, "resourceGroups": groups}
        self.ask("POST", f"{KUEUE}/clusterqueues", kueue_object("ClusterQueue", "both", spec=spec))
        for user, home in HOMES.items():
            self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": home}})
            local = kueue_object("LocalQueue", "team", spec={"clusterQueue": "both"})
            self.ask("POST", f"{KUEUE}/namespaces/{home}/localqueues", local)
            self.ask(
                "POST", f"/apis/rbac.authorization.k8s.io/v1/namespaces/{home}/rolebindings", _bound(user)
            )

    def may_begin(self):
        """Tell whether the role was gathered, and both may make Jobs by now."""
        return all(self.code(user, "GET", "jobs", OWN) == 200 for user in HOMES)

    def submit(self):
        """Have each make a Job."""
        for user, home in HOMES.items():
            self.ask("POST", f"/apis/batch/v1/namespaces/{home}/jobs", job("mine"), user=user)

    def are_admitted(self):
        """Tell whether each sees their Workload admitted."""
        workloads_by_user = [
            self.ask("GET", _path("workloads", OWN, user), user=user)["items"] for user in HOMES
        ]
        return all(len(items) == 1 and is_(items[0], "Admitted") for items in workloads_by_user)

    def code(self, user, verb, resource, where):
        """Return the code that a user is answered with; nothing that is asked for would be there."""
        suffix = "/nobody" if verb == "DELETE" else ""
        code, _ = self._ask(verb, _path(resource, where, user) + suffix, {} if verb == "POST" else None, user)
        return code

    def ask(self, verb, path, body=None, user=""):
        """Ask, and return the answer."""
        code, answer = self._ask(verb, path, body, user)
        assert code < 300, (verb, path, answer)
        return json.loads(answer)

    def _ask(self, verb, path, body, user):
        headers = {"Impersonate-User": user} if user else {}
        content = {"Content-Type": "application/json"} if body is not None else {}
        return self._send(verb, path, headers | content, None if body is None else json.dumps(body).encode())


def _bound(user):
    group = "rbac.authorization.k8s.io"
    return {
        "metadata": {"name": "user"},
        "subjects": [{"apiGroup": group, "kind": "User", "name": user}],
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": ROLE},
    }


def _path(resource, where, user):
    other = next(home for name, home in HOMES.items() if name != user)
    home = {OWN: HOMES[user], OTHER: other}.get(where)
    root = "/apis/batch/v1" if resource == "jobs" else KUEUE
    return f"{root}/namespaces/{home}/{resource}" if home else f"{root}/{resource}"
