"""What happens in a cluster while the rights are watched: each step needs one more of them."""

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
REQUESTS = "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests"
WORKLOADS = f"{KUEUE}/namespaces/default/workloads"
JOBS = "/apis/batch/v1/namespaces/default/jobs"


def made(kind, name, **rest):
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, **rest}


def queue(name, flavor="plain", check="look"):
    quota = {"name": "cpu", "nominalQuota": "4"}
    group = {"coveredResources": ["cpu"], "flavors": [{"name": flavor, "resources": [quota]}]}
    checks = {"admissionChecks": [{"name": check}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [group], "admissionChecksStrategy": checks}
    return made("ClusterQueue", name, spec=spec)


def job(name):
    container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container]}}
    labels = {"kueue.x-k8s.io/queue-name": "team"}
    metadata = {"name": name, "labels": labels}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": metadata,
        "spec": {"template": template, "completions": 3, "parallelism": 1, "suspend": True},
    }


class Story:
    """One Job on its way through two stages, and back."""

    def __init__(self, site):
        self.site = site

    def queues(self):
        ask = self.site.ask
        look = made("AdmissionCheck", "look", spec={"controllerName": "example.com/look"})
        ask("POST", f"{KUEUE}/admissionchecks", look)
        active = {
            "type": "Active",
            "status": "True",
            "reason": "Active",
            "message": "",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        ask("PATCH", f"{KUEUE}/admissionchecks/look/status", {"status": {"conditions": [active]}})
        ask("POST", f"{KUEUE}/resourceflavors", made("ResourceFlavor", "plain"))
        ask("POST", f"{KUEUE}/clusterqueues", queue("team"))
        local = made("LocalQueue", "team", spec={"clusterQueue": "team"})
        ask("POST", f"{KUEUE}/namespaces/default/localqueues", local)

    def reserved(self, name):
        """Create a Job, and return its Workload when it has quota and its check is listed."""
        self.site.ask("POST", JOBS, job(name))
        return self._listed()

    def _listed(self):
        return self.workload(lambda one: is_(one, "QuotaReserved") and one["status"].get("admissionChecks"))

    def answer(self, workload, state):
        """Have the check answer."""
        (found,) = workload["status"]["admissionChecks"]
        path = f"{WORKLOADS}/{workload['metadata']['name']}/status"
        self.site.ask("PATCH", path, {"status": {"admissionChecks": [{**found, "state": state}]}})

    def running(self, name):
        """Wait until a Job runs."""
        self.site.wait(lambda: self.site.ask("GET", f"{JOBS}/{name}").get("status", {}).get("startTime"))

    def stopped(self, name):
        """Wait until a Job is held back again."""
        self.site.wait(lambda: self._is_stopped(self.site.ask("GET", f"{JOBS}/{name}")))

    def alone(self):
        """Start a Job whose status no controller of the cluster writes,
        hold it back, and remove it with its Workload.
        """
        ask, path = self.site.ask, f"{JOBS}/alone"
        own = job("alone")
        ask("POST", JOBS, {**own, "spec": {**own["spec"], "managedBy": "example.com/jobs"}})
        self.answer(self._listed(), "Ready")
        self.site.wait(lambda: not ask("GET", path)["spec"]["suspend"])
        ask("PATCH", f"{path}/status", {"status": {"startTime": "2026-01-01T00:00:00Z"}})
        workload = self.workload(lambda one: one["status"].get("admission"))
        self.answer(workload, "Retry")
        self.stopped("alone")
        ask("DELETE", path, {"propagationPolicy": "Background"})
        ask("DELETE", f"{WORKLOADS}/{workload['metadata']['name']}")
        self.site.wait(lambda: not ask("GET", WORKLOADS)["items"])

    def changed(self, name):
        """Change a Job that waits, so that its Workload no longer fits, and wait for another Workload.

        One that has quota is replaced; one that is about to lose it would be changed in place.
        """
        before = self.workload(lambda one: is_(one, "QuotaReserved") and not is_(one, "Evicted"))["metadata"]
        self.site.ask("PATCH", f"{JOBS}/{name}", {"spec": {"parallelism": 2}})
        return self.workload(lambda one: one["metadata"]["uid"] != before["uid"])

    def recreated(self):
        """Delete the Workload of a Job that waits, and wait for another: the same is told of the same Job."""
        before = self.workload(lambda one: is_(one, "QuotaReserved"))["metadata"]
        self.site.ask("DELETE", f"{WORKLOADS}/{before['name']}")
        return self.workload(lambda one: one["metadata"]["uid"] != before["uid"])

    def removed(self):
        """Make an unused flavor and an unused ClusterQueue, and wait until both are gone again."""
        ask, paths = self.site.ask, [f"{KUEUE}/clusterqueues/spare", f"{KUEUE}/resourceflavors/spare"]
        ask("POST", f"{KUEUE}/resourceflavors", made("ResourceFlavor", "spare"))
        ask("POST", f"{KUEUE}/clusterqueues", queue("spare", flavor="spare"))
        for path in paths:
            ask("DELETE", path)
        self.site.wait(lambda: {path for path in paths if self.site.is_gone(path)} == set(paths))

    def provided(self):
        """Have a Workload ask for capacity, and wait until its request is gone because the Workload is over."""
        ask = self.site.ask
        config = made("ProvisioningRequestConfig", "room", spec={"provisioningClassName": "any"})
        ask("POST", f"{KUEUE}/provisioningrequestconfigs", config)
        reference = {"apiGroup": "kueue.x-k8s.io", "kind": config["kind"], "name": "room"}
        spec = {"controllerName": "kueue.x-k8s.io/provisioning-request", "parameters": reference}
        ask("POST", f"{KUEUE}/admissionchecks", made("AdmissionCheck", "room", spec=spec))
        ask("POST", f"{KUEUE}/clusterqueues", queue("room", check="room"))
        local = made("LocalQueue", "room", spec={"clusterQueue": "room"})
        ask("POST", f"{KUEUE}/namespaces/default/localqueues", local)
        pods = [{"name": "main", "count": 1, "template": job("any")["spec"]["template"]}]
        ask("POST", WORKLOADS, made("Workload", "asking", spec={"queueName": "room", "podSets": pods}))
        self.site.wait(lambda: self._templates_of_requests())
        ask("PATCH", f"{WORKLOADS}/asking", {"spec": {"active": False}})
        self.site.wait(lambda: not ask("GET", REQUESTS)["items"])
        ask("DELETE", f"{WORKLOADS}/asking")
        self.site.wait(lambda: self.site.is_gone(f"{WORKLOADS}/asking"))

    def _templates_of_requests(self):
        found = self.site.ask("GET", "/api/v1/namespaces/default/podtemplates")["items"]
        owners = (owner for one in found for owner in one["metadata"]["ownerReferences"])
        return any(owner["kind"] == "ProvisioningRequest" for owner in owners)

    def uncounted(self):
        """Write a share into a Cohort, and wait until it is taken away."""
        ask, ring = self.site.ask, f"{KUEUE}/cohorts/ring"
        ask("POST", f"{KUEUE}/cohorts", made("Cohort", "ring"))
        ask("PATCH", f"{ring}/status", {"status": {"fairSharing": {"weightedShare": 5}}})
        self.site.wait(lambda: "fairSharing" not in ask("GET", ring).get("status", {}))

    def workload(self, holds):
        """Return the only Workload as soon as the condition holds for it."""
        return self.site.wait(lambda: next(filter(holds, self.site.ask("GET", WORKLOADS)["items"]), None))

    @staticmethod
    def _is_stopped(found):
        return found["spec"]["suspend"] and not found.get("status", {}).get("startTime")


def is_(workload, condition):
    """Tell whether a condition of a Workload holds."""
    conditions = workload.get("status", {}).get("conditions") or ()
    return any((one["type"], one["status"]) == (condition, "True") for one in conditions)
