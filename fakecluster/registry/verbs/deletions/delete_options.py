"""What a DELETE asks for: grace, what becomes of dependents,
preconditions (FK-110, FK-111, FK-116, FK-034).
"""

from __future__ import annotations

from msgspec import Struct

from ....api import options, status
from ....api.kind import Kind
from ....api.outcome import Request
from ....api.routes import flag
from ....base.json_types import Json
from ....base.numbers.durations import wrap_to_64_bits
from ....base.numbers.timestamps import since_epoch
from ....codec import bodies, literals
from ....gotypes import typed
from ....meta import metadata
from ....meta.metadata import FOREGROUND_FINALIZER, ORPHAN_FINALIZER
from ....schema import fields
from ....schema.fields import FieldError
from ...action import Action

DELETE_OPTIONS = "DeleteOptions"
MESSAGE = "meta.v1.DeleteOptions"
PROPAGATION_POLICY = "propagationPolicy"
POLICIES = ["Foreground", "Background", "Orphan", "nil"]
UID_MISMATCH = (
    "the UID in the precondition ({}) does not match the UID in record ({}). "
    "The object might have been deleted and then recreated"
)
REVISION_MISMATCH = (
    "the ResourceVersion in the precondition ({}) does not match the ResourceVersion in record ({}). "
    "The object might have been modified"
)
DEFAULT_GRACE_SECONDS = 30
FINISHED_PHASES = frozenset({"Succeeded", "Failed"})


class DeleteOptions(Struct, frozen=True, kw_only=True):
    """The options of one deletion."""

    grace: int | None = None
    policy: str = ""
    orphan: bool | None = None
    uid: str | None = None
    revision: str | None = None
    dry_run: bool = False

    @property
    def silent(self) -> bool:
        """Whether nothing is said about dependents."""
        return not self.policy and self.orphan is None

    def check(self, kind: Kind, obj: Json) -> None:
        """Check the preconditions. Raises 409."""
        metadata = obj["metadata"]
        # An object of another uid is another object, whatever its revision.
        if self.uid is not None and self.uid != metadata["uid"]:
            why = UID_MISMATCH.format(self.uid, metadata["uid"])
            raise status.conflict_of_kind(kind, metadata["name"], why)
        if self.revision is not None and self.revision != metadata["resourceVersion"]:
            why = REVISION_MISMATCH.format(self.revision, metadata["resourceVersion"])
            raise status.conflict_of_kind(kind, metadata["name"], why)

    def finalizers(self, kind: Kind, names: list[str]) -> list[str]:
        """Return the finalizers with those of the propagation policy (FK-113, FK-114)."""
        propagation = self._propagation_finalizer(kind, names)
        # The policy asked for takes the place of those that an earlier deletion has left.
        remaining = [name for name in names if name not in {ORPHAN_FINALIZER, FOREGROUND_FINALIZER}]
        return [*remaining, propagation] if propagation else remaining

    def _propagation_finalizer(self, kind: Kind, names: list[str]) -> str:
        # The deprecated field comes first, as it may not stand beside the policy.
        if self.orphan is not None:
            return ORPHAN_FINALIZER if self.orphan else ""
        if self.policy:
            return {"Orphan": ORPHAN_FINALIZER, "Foreground": FOREGROUND_FINALIZER}.get(self.policy, "")
        # Without a word, finalizers that are there decide; then the kind's own default.
        present = next((name for name in (ORPHAN_FINALIZER, FOREGROUND_FINALIZER) if name in names), "")
        return present or (ORPHAN_FINALIZER if kind.strategy.default_propagation == "Orphan" else "")

    def as_object(self, uid: str = "") -> Json:
        """Return the options as webhooks see them; of a namespace a `uid` is always meant (FK-305)."""
        conditions = {"uid": self.uid or uid, "resourceVersion": self.revision}
        members = {
            "gracePeriodSeconds": self.grace,
            "preconditions": {name: value for name, value in conditions.items() if value} or None,
            "orphanDependents": self.orphan,
            "propagationPolicy": self.policy or None,
            "dryRun": ["All"] if self.dry_run else None,
        }
        non_null = {name: value for name, value in members.items() if value is not None}
        return {"kind": DELETE_OPTIONS, "apiVersion": "meta.k8s.io/v1", **non_null}


def of(action: Action) -> DeleteOptions:
    """Read the options from the body, or from the query when there is none. Raises 400, 415, 422."""
    request = action.request
    # The body wins over the query, which is read only without a body.
    raw = _from_body(action) if request.body else _from_query(request)
    check(raw)
    return of_object(action, raw)


def check(raw: Json) -> None:
    """Check that options are possible and go together. Raises 422."""
    if errors := _errors(raw):
        raise status.invalid_options(DELETE_OPTIONS, errors)


def of_object(action: Action, raw: Json) -> DeleteOptions:
    """Return the options in an object, which may be impossible."""
    conditions = raw.get("preconditions") or {}
    action.trace.dry_run = bool(raw.get("dryRun"))
    return DeleteOptions(
        grace=raw.get("gracePeriodSeconds"),
        policy=raw.get(PROPAGATION_POLICY) or "",
        orphan=raw.get("orphanDependents"),
        uid=conditions.get("uid"),
        revision=conditions.get("resourceVersion"),
        dry_run=action.trace.dry_run,
    )


def _from_body(action: Action) -> Json:
    try:
        body = bodies.read(action.request, merging=True, assumed=("v1", "DeleteOptions"))
    except bodies.UnreadableBody as error:
        raise status.bad_request(str(error)) from error
    if why := bodies.header_problem(body.tree):
        raise status.bad_request(bodies.NO_VERSION + why)
    tree = body.tree or {}
    kind = tree.get("kind") or DELETE_OPTIONS
    if kind != DELETE_OPTIONS:
        raise status.bad_request(bodies.kind_not_registered(kind, tree.get("apiVersion") or "meta.k8s.io/v1"))
    try:
        return _decode(action.request, body)
    except typed.GoTypeError as error:
        raise status.bad_request(str(error)) from error


def _decode(request: Request, body: bodies.Body) -> Json:
    """Return the options of a body. Raises GoTypeError."""
    try:
        return typed.decode_message(MESSAGE, body.tree or {}).object
    except typed.GoTypeError as error:
        if not (body.json and literals.quotes_number(error)):
            raise
        return typed.decode_message(MESSAGE, literals.tree(request.body)).object


def _from_query(request: Request) -> Json:
    orphan = request.option("orphanDependents")
    conditions = {name: request.option(name) for name in ("uid", "resourceVersion")}
    return {
        "preconditions": {name: value for name, value in conditions.items() if value},
        "gracePeriodSeconds": options.integer(request, "gracePeriodSeconds"),
        "orphanDependents": None if orphan is None else flag(orphan),
        PROPAGATION_POLICY: request.option(PROPAGATION_POLICY),
        "dryRun": [value for key, value in request.query if key == "dryRun"],
    }


def _errors(raw: Json) -> list[FieldError]:
    policy, errors = raw.get(PROPAGATION_POLICY), []
    if policy is not None and raw.get("orphanDependents") is not None:
        detail = "orphanDependents and deletionPropagation cannot be both set"
        errors.append(fields.invalid(PROPAGATION_POLICY, policy, detail))
    # The message lists `nil` as a choice, which JSON cannot say.
    if policy is not None and policy not in POLICIES[:3]:
        errors.append(fields.not_supported(PROPAGATION_POLICY, policy, POLICIES))
    return [*errors, *options.dry_run_errors(raw.get("dryRun") or [])]


def period(obj: Json, options: DeleteOptions) -> int:
    """Return the seconds a pod gets when it is deleted for the first time."""
    spec, phase = obj.get("spec") or {}, (obj.get("status") or {}).get("phase")
    # What does not run needs no time to stop.
    if not spec.get("nodeName") or phase in FINISHED_PHASES:
        return 0
    seconds = (
        options.grace
        if options.grace is not None
        else spec.get("terminationGracePeriodSeconds", DEFAULT_GRACE_SECONDS)
    )
    # Negative means at once, which is a second to the real server.
    return 1 if seconds < 0 else int(seconds)


def shorten(obj: Json, options: DeleteOptions) -> Json | None:
    """Return a pod that is going already with less time, None when a second delete changes nothing."""
    current_grace = obj["metadata"].get("deletionGracePeriodSeconds", 0)
    # A second deletion can only shorten.
    if options.grace is None or options.grace >= current_grace:
        return None
    seconds = 1 if options.grace < 0 else options.grace
    # From the moment of the first deletion.
    was = since_epoch(obj["metadata"]["deletionTimestamp"])
    sooner = metadata.timestamp(was - wrap_to_64_bits(current_grace) + wrap_to_64_bits(seconds))
    return metadata.with_metadata(obj, deletionTimestamp=sooner, deletionGracePeriodSeconds=seconds)
