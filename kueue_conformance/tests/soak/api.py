"""A client of the API server with a name of its own, by which faults find it, or leave it alone."""

from http.client import HTTPException

from ..attack.client import Client, Refused

BATCH = "/apis/batch/v1/namespaces/default/jobs"
KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
WORKLOADS = f"{KUEUE}/namespaces/default/workloads"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
LEASES = "/apis/coordination.k8s.io/v1/leases"
LABORATORY = "/_fakecluster"
TROUBLE = (OSError, HTTPException, Refused, ValueError)
"""What a client has to expect of a server in trouble: cut connections, refusals, half an answer."""


class ApiClient(Client):
    """Asks as a user agent; a broken connection is opened again with the next request."""

    def __init__(self, site, agent, seconds=60.0):
        super().__init__(site, seconds)
        self._headers["User-Agent"] = agent

    def ask(self, method, path, body=None):
        """Return the decoded answer. Raises Refused, OSError, HTTPException."""
        try:
            return super().ask(method, path, body)
        except (OSError, HTTPException):
            self.close()
            raise

    def find(self, path):
        """Return an object, None where there is none. Raises as `ask` does."""
        try:
            return self.get(path)
        except Refused as refusal:
            if f"{path}: 404" in str(refusal):
                return None
            raise

    def follow(self, path, is_over):
        """Yield the objects of a list, and then every event of its watch, with the type of event; list again
        when the watch ends, until `is_over()`.
        """
        separator = "&" if "?" in path else "?"
        while not is_over():
            try:
                listed = self.get(path)
                yield "LISTED", listed
                revision = listed["metadata"]["resourceVersion"]
                query = f"{separator}watch=1&resourceVersion={revision}&timeoutSeconds=30"
                for event in self.lines(path + query):
                    if event["type"] == "ERROR":
                        break
                    yield event["type"], event["object"]
            except TROUBLE:
                pass
            self.close()
