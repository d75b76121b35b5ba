"""A small AdmissionCheck controller: it asks an HTTP endpoint
for each verdict and writes it down as Kueue expects.

Every step is a method of `CheckController`,
so that a controller of your own replaces one and keeps the others.
"""

import argparse
import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from kubernetes import client, config, watch
from kubernetes.client import ApiException
from urllib3.exceptions import HTTPError

GROUP, VERSION = "kueue.x-k8s.io", "v1beta2"
STATES = ("Ready", "Retry", "Rejected")
FOLLOWS = {"Ready": ("podSetUpdates",), "Retry": ("requeueAfterSeconds",)}
"""What may be told beside a state."""
LONGEST_MESSAGE, LONGEST_WAIT = 1000, 3.0
NOT_FOUND, CONFLICT, GONE = 404, 409, 410
Object = dict[str, Any]


class CheckController:
    """Two threads watch AdmissionChecks and Workloads; one decides and writes."""

    def __init__(
        self, api: client.CustomObjectsApi, name: str, verdict_url: str, poll_seconds: float
    ) -> None:
        self.api, self.name, self.verdict_url, self.poll_seconds = api, name, verdict_url, poll_seconds
        self.known: dict[str, dict[tuple[str, str], Object]] = {"admissionchecks": {}, "workloads": {}}
        self.listed: set[str] = set()
        self.changed, self.stop = threading.Event(), threading.Event()

    # Deciding: what a controller of your own replaces

    def owns(self, name: str) -> bool:
        """Tell whether a check is ours and stays: by the controllerName of the AdmissionCheck, never by the
        check's own name.
        """
        check = self.known["admissionchecks"].get(("", name), {})
        ours = check.get("spec", {}).get("controllerName") == self.name
        return ours and "deletionTimestamp" not in check["metadata"]

    def may_act(self, workload: Object) -> bool:
        """Tell whether a Workload may be judged now:
        it has quota, and is neither on its way out nor at its end.
        """
        if (
            is_true(workload, "Evicted")
            or is_true(workload, "Finished")
            or not workload["spec"].get("active", True)
        ):
            return False
        return is_true(workload, "QuotaReserved") and "deletionTimestamp" not in workload["metadata"]

    def ask(self, workload: Object, check: str) -> Object:
        """Return the outside system's verdict."""
        metadata = workload["metadata"]
        asked = {"namespace": metadata["namespace"], "workload": metadata["name"], "check": check}
        with urlopen(f"{self.verdict_url}?{urlencode(asked)}", timeout=10) as answer:  # noqa: S310 - the operator chose the address
            verdict = json.load(answer)
        if not isinstance(verdict, dict) or "state" not in verdict:
            raise ValueError(f"this is no verdict: {verdict}")
        return verdict

    def entry(self, old: Object, verdict: Object) -> Object:
        """Return the entry that tells a verdict:
        its time moves only with its state, and Kueue's retryCount stays.
        """
        kept = {key: old[key] for key in ("name", "retryCount") if key in old}
        stays = verdict["state"] == old["state"]
        source = old if stays else verdict  # what pods get cannot change while a check is Ready
        more = {key: source[key] for key in FOLLOWS.get(verdict["state"], ()) if key in source}
        text = verdict.get("message") or f"The outside system says {verdict['state']}"
        since = old["lastTransitionTime"] if stays else timestamp()
        told = {"state": verdict["state"], "message": text[:LONGEST_MESSAGE], "lastTransitionTime": since}
        return {**kept, **told, **more}

    def judged(self, workload: Object, entry: Object) -> Object:
        """Return an entry of ours with a fresh verdict; Retry and Rejected are Kueue's to move on."""
        if entry["state"] in ("Retry", "Rejected"):
            return entry
        verdict = self.ask(workload, entry["name"])
        if verdict["state"] == "Pending" == entry["state"] or verdict["state"] in STATES:
            check_updates(workload, verdict)
            return self.entry(entry, verdict)
        return entry

    def entries(self, workload: Object) -> list[Object]:
        """Return all entries of a Workload: ours judged, others as they are."""
        listed = workload["status"].get("admissionChecks", [])
        return [self.judged(workload, one) if self.owns(one["name"]) else one for one in listed]

    def release(self) -> None:
        """Release what was made outside for Workloads that need it no more; this controller makes nothing."""

    # Writing

    def judge(self, workload: Object) -> None:
        """Bring our entries of a Workload up to date; after a conflict it is read and judged anew."""
        while self.may_act(workload):
            entries = self.entries(workload)
            if entries == workload["status"].get("admissionChecks", []):
                return
            try:
                self.write(workload, entries)
            except ApiException as error:
                if error.status != CONFLICT:
                    raise
                workload = self.api.get_namespaced_custom_object(*where(workload))
            else:
                return

    def write(self, workload: Object, entries: list[Object]) -> None:
        """PUT the status; its resourceVersion makes the server refuse a decision about an older state."""
        body = {**workload, "status": {**workload["status"], "admissionChecks": entries}}
        self.api.replace_namespaced_custom_object_status(*where(workload), body)

    def activate(self, check: Object) -> None:
        """Say that a check can be used, once for each generation of it."""
        old, generation = condition(check, "Active"), check["metadata"]["generation"]
        if old.get("status") == "True" and old.get("observedGeneration") == generation:
            return
        since = old["lastTransitionTime"] if old.get("status") == "True" else timestamp()
        active = {"type": "Active", "status": "True", "reason": "Active", "message": "The check can be used"}
        active |= {"lastTransitionTime": since, "observedGeneration": generation}
        others = [one for one in check.get("status", {}).get("conditions", []) if one["type"] != "Active"]
        body = {**check, "status": {**check.get("status", {}), "conditions": [*others, active]}}
        name = check["metadata"]["name"]
        self.api.replace_cluster_custom_object_status(GROUP, VERSION, "admissionchecks", name, body)

    # Working

    def run(self) -> None:
        """Look at everything whenever something changed,
        and again while verdicts are open, until `stop` is set.
        """
        for plural in self.known:
            threading.Thread(target=self.follow, args=(plural,), daemon=True).start()
        wait = self.poll_seconds
        while not self.stop.is_set():
            self.changed.wait(wait)
            self.changed.clear()
            checks = [
                one for one in [*self.known["admissionchecks"].values()] if self.owns(one["metadata"]["name"])
            ]
            workloads = [*self.known["workloads"].values()]
            went_well = [self.attempt(self.activate, one) for one in checks]
            went_well += [self.attempt(self.judge, one) for one in workloads]
            if self.has_synced():
                self.release()
            wait = self.poll_seconds if all(went_well) else min(LONGEST_WAIT, 2 * wait)

    def has_synced(self) -> bool:
        """Tell whether every kind was listed once: before that, a Workload that is not known may be there."""
        return self.listed == self.known.keys()

    def attempt(self, step: Callable[[Object], None], thing: Object) -> bool:
        """Take a step and tell whether that went well; trouble is printed, and never turned into a verdict."""
        try:
            step(thing)
        except ApiException as error:
            # An object that is gone or was changed meanwhile comes back through its watch.
            if error.status not in (NOT_FOUND, CONFLICT):
                print(
                    f"{step.__name__} {thing['metadata']['name']}: {error.status} {error.reason}", flush=True
                )
                return False
        except (OSError, HTTPError, ValueError) as problem:
            print(f"{step.__name__} {thing['metadata']['name']}: {problem}", flush=True)
            return False
        return True

    def follow(self, plural: str) -> None:
        """List and watch a kind for ever; a watch that ends or is too old (410) begins again with a list."""
        everything = self.api.list_cluster_custom_object
        while not self.stop.is_set():
            try:
                listed = everything(GROUP, VERSION, plural)
                self.known[plural] = {key_of(one): one for one in listed["items"]}
                self.listed.add(plural)
                self.changed.set()
                since = listed["metadata"]["resourceVersion"]
                which = {"resource_version": since, "timeout_seconds": 300}
                for event in watch.Watch().stream(everything, GROUP, VERSION, plural, **which):
                    self.note(plural, event["type"], event["object"])
            except (ApiException, HTTPError) as problem:
                if getattr(problem, "status", None) != GONE:
                    print(f"watching {plural}: {problem}", flush=True)
                    self.stop.wait(1.0)

    def note(self, plural: str, what: str, thing: Object) -> None:
        """Remember what a watch told."""
        if what == "DELETED":
            self.known[plural].pop(key_of(thing), None)
        else:
            self.known[plural][key_of(thing)] = thing
        self.changed.set()


def where(workload: Object) -> tuple[str, str, str, str, str]:
    """Return what the client wants to know of a Workload to find it."""
    return GROUP, VERSION, workload["metadata"]["namespace"], "workloads", workload["metadata"]["name"]


def check_updates(workload: Object, verdict: Object) -> None:
    """Refuse changes of pods that the Workload does not have, or that say otherwise, and delays below zero."""
    templates = {one["name"]: one["template"] for one in workload["spec"]["podSets"]}
    for update in verdict.get("podSetUpdates", []):
        if update["name"] not in templates:
            raise ValueError(f"there are no pods {update['name']}")
        template = templates[update["name"]]
        said = {**template.get("metadata", {}), **template["spec"]}
        for field in ("labels", "annotations", "nodeSelector"):
            for key, value in update.get(field, {}).items():
                if said.get(field, {}).get(key, value) != value:
                    raise ValueError(f"pods {update['name']} have another value for {field}[{key}]")
    if verdict.get("requeueAfterSeconds", 0) < 0:
        raise ValueError(f"a delay of {verdict['requeueAfterSeconds']} s is none")


def key_of(thing: Object) -> tuple[str, str]:
    """Return what tells an object from others of its kind."""
    return thing["metadata"].get("namespace", ""), thing["metadata"]["name"]


def condition(thing: Object, name: str) -> Object:
    """Return a condition, empty when there is none."""
    return next((one for one in thing.get("status", {}).get("conditions", []) if one["type"] == name), {})


def is_true(thing: Object, name: str) -> bool:
    """Tell whether a condition is True."""
    return condition(thing, name).get("status") == "True"


def timestamp() -> str:
    """Return the present as the API writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: TID251 - a program of its own has no other clock


def main(controller: type[CheckController] = CheckController) -> None:
    """Read the options and run until SIGTERM or SIGINT."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument(
        "--controller-name", default=os.environ.get("KUEUE_CONFORMANCE_CONTROLLER_NAME", "example.com/budget")
    )
    options.add_argument("--verdict-url", default=os.environ.get("KUEUE_CONFORMANCE_VERDICT_URL"))
    options.add_argument(
        "--poll-seconds", type=float, default=0.1, help="how often an open verdict is asked for"
    )
    given = options.parse_args()
    if not given.verdict_url:
        options.error("--verdict-url is missing: where are verdicts asked for?")
    config.load_config()
    ours = controller(client.CustomObjectsApi(), given.controller_name, given.verdict_url, given.poll_seconds)
    for name in (signal.SIGTERM, signal.SIGINT):
        # At once, also while an answer is waited for; the API server keeps what was written.
        signal.signal(name, lambda *_: sys.exit())
    ours.run()


if __name__ == "__main__":
    main()
