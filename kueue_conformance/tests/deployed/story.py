"""What happens in a cluster while the rights are watched: each step needs one more of them."""

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
REQUESTS = "/apis/autoscaling.x-k8s.io/v1/namespaces/default/provisioningrequests"
WORKLOADS = f"{KUEUE}/namespaces/default/workloads"
JOBS = "/apis/batch/v1/namespaces/default/jobs"


def kueue_object(kind, name, **rest):
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}, **rest}


def queue(name, flavor="plain", check="look"):
    quota = {"name": "cpu", "nominalQuota": "4"}
    group = {"coveredResources": ["cpu"], "flavors": [{"name": flavor, "resources": [quota]}]}
    checks = {"admissionChecks": [{"name": check}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [group], "admissionChecksStrategy": checks}
    return kueue_object("ClusterQueue", name, spec=spec)


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
        look = kueue_object("AdmissionCheck", "look", spec={"controllerName": "example.com/look"})
        ask("POST", f"{KUEUE}/admissionchecks", look)
        active = {
            "type": "Active",
            "status": "True",
            "reason": "Active",
            "message": "",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        ask("PATCH", f"{KUEUE}/admissionchecks/look/status", {"status": {"conditions": [active]}})
        ask("POST", f"{KUEUE}/resourceflavors", kueue_object("ResourceFlavor", "plain"))
        ask("POST", f"{KUEUE}/clusterqueues", queue("team"))
        local = kueue_object("LocalQueue", "team", spec={"clusterQueue": "team"})
        ask("POST", f"{KUEUE}/namespaces/default/localqueues", local)

    def reserve(self, name):
        """Create a Job, and return its Workload when it has quota and its check is listed."""
        self.site.ask("POST", JOBS, job(name))
        return self._await_check()

    def _await_check(self):
        return self.workload(
            lambda workload: is_(workload, "QuotaReserved") and workload["status"].get("admissionChecks")
        )

    def answer(self, workload, state):
        """Have the check answer."""
        (check_entry,) = workload["status"]["admissionChecks"]
        path = f"{WORKLOADS}/{workload['metadata']['name']}/status"
        self.site.ask("PATCH", path, {"status": {"admissionChecks": [{**check_entry, "state": state}]}})

    def running(self, name):
        """Wait until a Job runs."""
        self.site.wait(lambda: self.site.ask("GET", f"{JOBS}/{name}").get("status", {}).get("startTime"))

    def await_stop(self, name):
        """Wait until a Job is held back again."""
        self.site.wait(lambda: self._is_stopped(self.site.ask("GET", f"{JOBS}/{name}")))

    def alone(self):
        """Start a Job whose status no controller of the cluster writes,
        hold it back, and remove it with its Workload.
        """
        ask, path = self.site.ask, f"{JOBS}/alone"
        own = job("alone")
        ask("POST", JOBS, {**own, "spec": {**own["spec"], "managedBy": "example.com/jobs"}})
        self.answer(self._await_check(), "Ready")
        self.site.wait(lambda: not ask("GET", path)["spec"]["suspend"])
        ask("PATCH", f"{path}/status", {"status": {"startTime": "2026-01-01T00:00:00Z"}})
        workload = self.workload(lambda workload: workload["status"].get("admission"))
        self.answer(workload, "Retry")
        self.await_stop("alone")
        ask("DELETE", path, {"propagationPolicy": "Background"})
        ask("DELETE", f"{WORKLOADS}/{workload['metadata']['name']}")
        self.site.wait(lambda: not ask("GET", WORKLOADS)["items"])

    def change_job(self, name):
        """Change a Job that waits, so that its Workload no longer fits, and wait for another Workload.

        One that has quota is replaced; one that is about to lose it would be changed in place.
        """
        before = self.workload(
            lambda workload: is_(workload, "QuotaReserved") and not is_(workload, "Evicted")
        )["metadata"]
        self.site.ask("PATCH", f"{JOBS}/{name}", {"spec": {"parallelism": 2}})
        return self.workload(lambda workload: workload["metadata"]["uid"] != before["uid"])

    def recreate_workload(self):
        """Delete the Workload of a Job that waits, and wait for another: the same is told of the same Job."""
        before = self.workload(lambda workload: is_(workload, "QuotaReserved"))["metadata"]
        self.site.ask("DELETE", f"{WORKLOADS}/{before['name']}")
        return self.workload(lambda workload: workload["metadata"]["uid"] != before["uid"])

    def remove_unused(self):
        """Make an unused flavor and an unused ClusterQueue, and wait until both are gone again."""
        ask, paths = self.site.ask, [f"{KUEUE}/clusterqueues/spare", f"{KUEUE}/resourceflavors/spare"]
        ask("POST", f"{KUEUE}/resourceflavors", kueue_object("ResourceFlavor", "spare"))
        ask("POST", f"{KUEUE}/clusterqueues", queue("spare", flavor="spare"))
        for path in paths:
            ask("DELETE", path)
        self.site.wait(lambda: {path for path in paths if self.site.is_gone(path)} == set(paths))

    def provide(self):
        """Have a Workload ask for capacity, and wait until
        its request is gone because the Workload is over.
        """
        ask = self.site.ask
        config = kueue_object("ProvisioningRequestConfig", "room", spec={"provisioningClassName": "any"})
        ask("POST", f"{KUEUE}/provisioningrequestconfigs", config)
        reference = {"apiGroup": "kueue.x-k8s.io", "kind": config["kind"], "name": "room"}
        spec = {"controllerName": "kueue.x-k8s.io/provisioning-request", "parameters": reference}
        ask("POST", f"{KUEUE}/admissionchecks", kueue_object("AdmissionCheck", "room", spec=spec))
        ask("POST", f"{KUEUE}/clusterqueues", queue("room", check="room"))
        local = kueue_object("LocalQueue", "room", spec={"clusterQueue": "room"})
        ask("POST", f"{KUEUE}/namespaces/default/localqueues", local)
        pods = [{"name": "main", "count": 1, "template": job("any")["spec"]["template"]}]
        ask(
            "POST", WORKLOADS, kueue_object("Workload", "asking", spec={"queueName": "room", "podSets": pods})
        )
        self.site.wait(lambda: self._templates_of_requests())
        ask("PATCH", f"{WORKLOADS}/asking", {"spec": {"active": False}})
        self.site.wait(lambda: not ask("GET", REQUESTS)["items"])
        ask("DELETE", f"{WORKLOADS}/asking")
        self.site.wait(lambda: self.site.is_gone(f"{WORKLOADS}/asking"))

    def _templates_of_requests(self):
        templates = self.site.ask("GET", "/api/v1/namespaces/default/podtemplates")["items"]
        owners = (owner for template in templates for owner in template["metadata"]["ownerReferences"])
        return any(owner["kind"] == "ProvisioningRequest" for owner in owners)

    def remove_share(self):
        """Write a share into a Cohort, and wait until it is taken away."""
        ask, ring = self.site.ask, f"{KUEUE}/cohorts/ring"
        ask("POST", f"{KUEUE}/cohorts", kueue_object("Cohort", "ring"))
        ask("PATCH", f"{ring}/status", {"status": {"fairSharing": {"weightedShare": 5}}})
        self.site.wait(lambda: "fairSharing" not in ask("GET", ring).get("status", {}))

    def workload(self, holds):
        """Return the only Workload as soon as the condition holds for it."""
        return self.site.wait(lambda: next(filter(holds, self.site.ask("GET", WORKLOADS)["items"]), None))

    @staticmethod
    def _is_stopped(job_object):
        return job_object["spec"]["suspend"] and not job_object.get("status", {}).get("startTime")


def is_(workload, condition):
    """Tell whether a condition of a Workload holds."""
    conditions = workload.get("status", {}).get("conditions") or ()
    return any(
        (condition_row["type"], condition_row["status"]) == (condition, "True")
        for condition_row in conditions
    )
