"""What a cloud may do instead of what it was asked for (PR-360…367)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Final, Literal, get_args

from reference_impl.autoscaler.cloud import Instance, InstanceErrorInfo, NodeGroup

from .machines import NEVER, SCHEME, Machine

CloudMethod = Literal[
    "list", "increase", "atomic_increase", "decrease_target", "delete_nodes", "create_group", "delete_group"
]
METHODS: Final[frozenset[CloudMethod]] = frozenset(get_args(CloudMethod))
INCREASES: Final[frozenset[CloudMethod]] = frozenset({"increase", "atomic_increase"})
CODES: Final = frozenset(
    {
        "Aborted",
        "AlreadyExists",
        "Cancelled",
        "DataLoss",
        "DeadlineExceeded",
        "FailedPrecondition",
        "Internal",
        "InvalidArgument",
        "NotFound",
        "OutOfRange",
        "PermissionDenied",
        "ResourceExhausted",
        "Unauthenticated",
        "Unavailable",
        "Unimplemented",
        "Unknown",
    }
)
SIGNED: Final = frozenset({"size_delta"})
Indexes = Collection[int] | None
"""Which machines of a call, counted from 0; None for all."""


class CallRefusal(Exception):
    """The cloud does not do what was asked; `code` is one of gRPC's, as Go writes it."""

    def __init__(self, code: str, message: str, *, hangs_seconds: float = 0.0) -> None:
        super().__init__(f"rpc error: code = {code} desc = {message}")
        self.code, self.message = code, message
        self.hangs_seconds = hangs_seconds
        """For so long the caller gets no answer."""


@dataclass(frozen=True, slots=True)
class FailureAction:
    """What is done instead.

    This one does nothing: each action overrides what it is about. Raises ValueError for a number below 0.
    """

    methods: ClassVar[frozenset[CloudMethod]] = INCREASES
    """The calls it is about, where its rule names none."""

    def __post_init__(self) -> None:
        check_numbers(self)

    def before(self) -> None:
        """Raise Refusal where the call is not carried out."""

    def after(self) -> None:
        """Raise Refusal where the call is carried out, and its caller does not hear of it."""

    def machine(self, index: int, machine: Machine) -> Machine:
        """Return what comes of a machine that was asked for."""
        del index
        return machine

    def group(self, group: NodeGroup) -> NodeGroup:
        """Return the group that the call is answered with."""
        return group


@dataclass(frozen=True, slots=True)
class Reject(FailureAction):
    """The call is refused, and nothing is changed (PR-360).

    Raises ValueError for a code that gRPC does not have.
    """

    code: str = "ResourceExhausted"
    message: str = "quota exceeded"

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"code is {self.code!r}: expected one of {', '.join(sorted(CODES))}")

    def before(self) -> None:
        """Refuse."""
        raise CallRefusal(self.code, self.message)


@dataclass(frozen=True, slots=True)
class CreateError(Reject):
    """No group is made (PR-367)."""

    methods: ClassVar[frozenset[CloudMethod]] = frozenset({"create_group"})
    code: str = "Internal"
    message: str = "the group was not created"


@dataclass(frozen=True, slots=True)
class Unavailable(Reject):
    """The cloud cannot be reached."""

    methods: ClassVar[frozenset[CloudMethod]] = METHODS
    code: str = "Unavailable"
    message: str = "connection refused"


@dataclass(frozen=True, slots=True)
class Hang(FailureAction):
    """No answer comes in time; with `carried_out` what was asked for is done all the same."""

    methods: ClassVar[frozenset[CloudMethod]] = METHODS
    seconds: float = NEVER
    carried_out: bool = False

    def before(self) -> None:
        """Give no answer."""
        if not self.carried_out:
            raise self._no_answer()

    def after(self) -> None:
        """Give no answer to what was done."""
        if self.carried_out:
            raise self._no_answer()

    def _no_answer(self) -> CallRefusal:
        return CallRefusal("DeadlineExceeded", "context deadline exceeded", hangs_seconds=self.seconds)


@dataclass(frozen=True, slots=True)
class Stockout(FailureAction):
    """The first `succeed` machines boot, the others have an error after a while (PR-361)."""

    succeed: int = 0
    error_delay_seconds: float = 10.0
    code: str = "OUT_OF_RESOURCES"
    message: str = "no machines left"

    def machine(self, index: int, machine: Machine) -> Machine:
        """Let those fail that are too many."""
        if index < self.succeed:
            return machine
        error = InstanceErrorInfo(self.code, self.message, out_of_resources=True)
        return machine.failing(error, machine.created + self.error_delay_seconds)


@dataclass(frozen=True, slots=True)
class PartialError(FailureAction):
    """Chosen machines have an error after a while (PR-362)."""

    indexes: Indexes = None
    error_delay_seconds: float = 10.0
    code: str = "INTERNAL_ERROR"
    message: str = "the machine was not created"

    def machine(self, index: int, machine: Machine) -> Machine:
        """Let the chosen ones fail."""
        if not _is_chosen(index, self.indexes):
            return machine
        error = InstanceErrorInfo(self.code, self.message, out_of_resources=False)
        return machine.failing(error, machine.created + self.error_delay_seconds)


@dataclass(frozen=True, slots=True)
class Slow(FailureAction):
    """Chosen machines take longer to boot (PR-363)."""

    extra_seconds: float
    indexes: Indexes = None

    def machine(self, index: int, machine: Machine) -> Machine:
        """Put off what happens to the chosen ones."""
        if not _is_chosen(index, self.indexes):
            return machine
        extra = self.extra_seconds
        return replace(
            machine,
            runs_at=machine.runs_at + extra,
            registers_at=machine.registers_at + extra,
            ready_at=machine.ready_at + extra,
        )


@dataclass(frozen=True, slots=True)
class NeverRegister(FailureAction):
    """Chosen machines run and have no Node (PR-364); those that are not `listed` only count (finding N7)."""

    indexes: Indexes = None
    listed: bool = True

    def machine(self, index: int, machine: Machine) -> Machine:
        """Keep the Nodes of the chosen ones away."""
        if not _is_chosen(index, self.indexes):
            return machine
        return replace(machine, registers_at=NEVER, ready_at=NEVER, listed=self.listed)


@dataclass(frozen=True, slots=True)
class RegisterNotReady(FailureAction):
    """Nodes of chosen machines come and are not ready for some seconds, or never (PR-365)."""

    for_seconds: float = NEVER
    indexes: Indexes = None

    def machine(self, index: int, machine: Machine) -> Machine:
        """Put off that the chosen ones are ready."""
        if not _is_chosen(index, self.indexes):
            return machine
        return replace(machine, ready_at=machine.ready_at + self.for_seconds)


@dataclass(frozen=True, slots=True)
class Vanish(FailureAction):
    """Chosen machines are gone some seconds after they are ready, as preemptible ones are (PR-366).

    The group gets smaller by them unless they `remain_counted`.
    The request of `revoke`, namespace/name, is told.
    """

    after_seconds: float = 60.0
    indexes: Indexes = None
    remain_counted: bool = False
    revoke: str = ""

    def machine(self, index: int, machine: Machine) -> Machine:
        """Let the chosen ones end."""
        if not _is_chosen(index, self.indexes):
            return machine
        return replace(
            machine,
            ends_at=machine.ready_at + self.after_seconds,
            remains_counted=self.remain_counted,
            revokes=self.revoke,
        )


@dataclass(frozen=True, slots=True)
class WrongCount(FailureAction):
    """A wrong listing of a group: another size, machines that do not exist, or machines missing."""

    methods: ClassVar[frozenset[CloudMethod]] = frozenset({"list"})
    size_delta: int = 0
    unknown_instances: int = 0
    hidden_instances: int = 0

    def group(self, group: NodeGroup) -> NodeGroup:
        """Return the group changed as the action says."""
        instances: Sequence[Instance] = group.instances[
            : max(0, len(group.instances) - self.hidden_instances)
        ]
        unknown = [
            Instance(f"{SCHEME}{group.id}/unknown-{index}", "running")
            for index in range(self.unknown_instances)
        ]
        return replace(group, target=max(0, group.target + self.size_delta), instances=[*instances, *unknown])


def check_numbers(value: Any) -> None:
    """Raise ValueError for a number of a dataclass that is below 0 and should not."""
    for field in fields(value):
        number = getattr(value, field.name)
        if isinstance(number, int | float) and not number >= 0 and field.name not in SIGNED:
            raise ValueError(f"{field.name} is {number!r}: expected 0 or more")


def _is_chosen(index: int, indexes: Indexes) -> bool:
    return indexes is None or index in indexes


NOTHING: Final = FailureAction()
