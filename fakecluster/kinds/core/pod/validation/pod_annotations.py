"""Annotations of pods and of their templates that mean something to the server (FK-504)."""

from __future__ import annotations

import re

from .....base.json_types import Json
from .....base.numbers import integers
from .....schema import fields
from ....validation.basics import Errors
from . import paths

INTEGER_START = re.compile(r"-|0\Z|[1-9]")
DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
MIRROR = "kubernetes.io/config.mirror"
APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/"
SECCOMP = "seccomp.security.alpha.kubernetes.io/pod"
SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/"
SECCOMP_PROFILES = ("runtime/default", "docker/default", "unconfined")
APP_ARMOR_PROFILES = ("", "runtime/default", "unconfined")
LOCAL = "localhost/"


def judge(annotations: Json, spec: Json, path: str) -> Errors:
    """Judge the annotations of a pod with this spec."""
    if MIRROR in annotations and not spec.get("nodeName"):
        why = "must set spec.nodeName if mirror pod annotation is set"
        yield fields.invalid(f"{path}[{MIRROR}]", annotations[MIRROR], why)
    cost = annotations.get(DELETION_COST, "0")
    if not INTEGER_START.match(cost) or not integers.fits(cost, 32):
        yield fields.invalid(f"{path}[{DELETION_COST}]", cost, "must be a 32bit integer")
    for key, profile in sorted(annotations.items()):
        if key == SECCOMP or key.startswith(SECCOMP_CONTAINER):
            yield from _seccomp(profile, f"{path}.{key}")
    profiles = {key: value for key, value in sorted(annotations.items()) if key.startswith(APP_ARMOR)}
    members = ("containers", "initContainers", "ephemeralContainers") if profiles else ()
    names = {container["name"] for member in members for container in spec.get(member) or ()}
    for key, profile in profiles.items():
        if key.removeprefix(APP_ARMOR) not in names:
            yield fields.invalid(f"{path}[{key}]", key.removeprefix(APP_ARMOR), "container not found")
        yield from _app_armor(profile, f"{path}[{key}]")


def _seccomp(profile: str, path: str) -> Errors:
    if profile.startswith(LOCAL):
        yield from paths.descending(profile.removeprefix(LOCAL), path)
    elif profile not in SECCOMP_PROFILES:
        yield fields.invalid(path, profile, "must be a valid seccomp profile")


def _app_armor(profile: str, path: str) -> Errors:
    if profile not in APP_ARMOR_PROFILES and not profile.startswith(LOCAL):
        why = f"invalid AppArmor profile name: {fields.go_quote(profile)}"
        yield fields.invalid(path, profile, why)


def judge_update(after: Json, before: Json, path: str) -> Errors:
    """Judge that a pod's marks of a profile and of a mirror stay."""
    for verb, keys in (("remove or update", before), ("add", {*after} - {*before})):
        for key in sorted(keys):
            if verb != "add" and after.get(key) == before[key]:
                continue
            if key.startswith(APP_ARMOR):
                yield fields.forbidden(f"{path}[{key}]", f"may not {verb} AppArmor annotations")
            if key == MIRROR:
                yield fields.forbidden(f"{path}[{key}]", f"may not {verb} mirror pod annotation")
