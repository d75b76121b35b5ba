"""A kind is a row: everything that verbs need to know about a resource,
built in or custom (FK-495, FK-250).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import force_setattr

from ..base.json_types import Json
from ..schema.fields import FieldError
from ..schema.structural import Structural
from .converter import Converter

Transform = Callable[[Json], Json]
Amend = Callable[[Json, Json], Json]
Validate = Callable[[Json], list[FieldError]]
ValidateUpdate = Callable[[Json, Json], list[FieldError]]
Warnings = Callable[[Json, Json], list[str]]
NameRule = Literal["subdomain", "label", "path", "service", "address"]
STATUS_LIKE = frozenset({"status", "approval"})
"""Subresources through which nothing but a status is written (FK-107)."""


def identity(obj: Json) -> Json:
    """Return an object unchanged."""
    return obj


class Column(Struct, frozen=True, kw_only=True):
    """A column of a Table answer: `cell(object, now)` gives the value that kubectl prints (FK-420)."""

    name: str
    type: str = "string"
    format: str = ""
    description: str = ""
    priority: int = 0
    cell: Callable[[Json, float], Json]


class ScalePaths(Struct, frozen=True, kw_only=True):
    """Where a kind keeps what its scale subresource shows,
    as `.spec.replicas`; `selector` is the path of a text (FK-278).
    """

    spec: str
    status: str
    selector: str = ""


class ObjectSchema(Struct, frozen=True, kw_only=True):
    """What objects of a kind look like, served and stored. Functions take and return whole objects."""

    structural: Structural
    versions: Mapping[str, Structural] = field(default_factory=dict)
    """Of custom resources: the schema of each version of the definition, served or not, by apiVersion."""
    storage_version: str = ""
    """The version in which the object is stored; empty when it is the kind's own."""
    storage_key: tuple[str, str] | None = None
    """(group, plural) of the stored objects when another kind
    serves the same ones, as the two kinds Event do (FK-490).
    """
    prune: Callable[[Json], tuple[Json, list[str]]] | None = None
    """Custom resources: object → object without unknown fields, and the paths of what was dropped (FK-260).
    """
    default: Transform = identity
    """Gives an object the defaults of its kind."""
    default_beside_nulls: Transform = identity
    """Of custom resources: the same, but leaves the nulls that have no default (FK-261)."""
    to_stored: Transform | None = None
    from_stored: Transform | None = None
    to_hub: Transform | None = None
    """Of built-in kinds with several versions: `to_stored` without the defaults of the stored version."""
    fit: Transform | None = None
    """Of custom resources: what this version takes of an object that was converted from another one."""
    converter: Converter | None = None
    """Converts between the versions of a definition; None when only apiVersion changes."""
    scale: ScalePaths | None = None
    """Of custom resources; built-in kinds with this subresource all keep replicas in the same place."""
    accepted_versions: frozenset[str] = frozenset()
    """Other apiVersions in which a body may come; its members are the same."""
    fractions: frozenset[tuple[str, ...]] = frozenset()
    """Where a number with a fraction is refused even when it is whole, as 4.0 is (FK-029)."""


class Strategy(Struct, frozen=True, kw_only=True):
    """What verbs do with objects of a kind beyond what they do with every object.

    Functions never change their argument.
    """

    generation: Literal["none", "spec", "all"] = "none"
    """What raises metadata.generation: nothing, a change of spec,
    any change outside metadata and status (FK-062, FK-105).
    """
    generation_of: Literal["", "annotations", "labels"] = ""
    """What of the metadata raises it as well."""
    name_rule: NameRule = "subdomain"
    prepare: Transform | None = None
    """What becomes of a new object before validation, such as wiping status or generating a selector."""
    allocate: Transform | None = None
    """What a new object is given before validation, such as addresses;
    nothing when it is made through its status.
    """
    allocate_dry_run: Transform | None = None
    """Takes the place of `allocate` in a dry run, which allocates nothing."""
    prepare_update: Amend | None = None
    """(new, old) → what becomes of an update before validation,
    such as carrying over what only the server sets.
    """
    prepare_update_dry_run: Amend | None = None
    """Takes the place of `prepare_update` in a dry run."""
    prepare_status: Amend | None = None
    """The same for an update of /status."""
    date_status: Callable[[Json, Json, str], Json] | None = None
    """(new, old, present time) → an update of /status with the time that only the server knows."""
    resets: tuple[tuple[str, ...], ...] = ()
    """What the main resource does not own beside the status, whatever the body says (FK-221)."""
    status_resets: tuple[tuple[str, ...], ...] = (("spec",),)
    """What /status neither writes nor owns, whatever the body says (FK-107, FK-222)."""
    validate: Validate | None = None
    validate_new: Validate | None = None
    """What only a new object is judged by; `validate` judges every one."""
    check_allocation: Validate | None = None
    """What a new object asks for and cannot be given."""
    check_allocation_dry_run: Validate | None = None
    """The same for a dry run, which is given nothing."""
    validate_update: ValidateUpdate | None = None
    """(new, old) → violations of immutability and the like, which an update is judged by after `validate`."""
    judge_update: ValidateUpdate | None = None
    """(new, old) → every violation of an update, in the place of `validate` and `validate_update`: for kinds
    that judge an update in another order, or by less, than a new object (FK-504).
    """
    validate_status: ValidateUpdate | None = None
    warnings: Warnings | None = None
    """(new, old or None) → what is accepted with a Warning."""
    status_warnings: Warnings | None = None
    """The same for an update of /status."""
    unconditional_update: bool = True
    create_on_update: bool = False
    returns_deleted: bool = False
    """DELETE answers with the object instead of a Status (FK-112)."""
    graceful: bool = False
    default_propagation: Literal["Background", "Orphan"] = "Background"
    delete_warning: str = ""
    before_delete: Callable[[Json, str], Json] | None = None
    """(object, present time) → what a first DELETE makes of it,
    such as a finalizer its controller takes off again.
    """
    create_forbidden: str = ""
    """Why no object may be created now; empty when it may."""


class Presentation(Struct, frozen=True, kw_only=True):
    """How objects of a kind are selected and shown."""

    selectable: Mapping[str, Callable[[Json], str]] = field(default_factory=dict)
    """Field selectors beside metadata.name and metadata.namespace (FK-135)."""
    columns: tuple[Column, ...] = ()
    """Of tables; kinds without any show when an object was created (FK-421)."""
    deprecation: str = ""
    """The Warning that every answer of a deprecated version carries."""


class Kind(Struct, frozen=True, kw_only=True):
    """One served (group, version, resource): its identity,
    and the schema, strategy and presentation of its objects.
    """

    group: str
    version: str
    kind: str
    plural: str
    singular: str = ""
    list_kind: str = ""
    """The kind of a list; empty when it is `kind` + `List`."""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    namespaced: bool = True
    verbs: tuple[str, ...] = (
        "create",
        "delete",
        "deletecollection",
        "get",
        "list",
        "patch",
        "update",
        "watch",
    )
    subresources: frozenset[str] = frozenset()
    """Names below an object, such as `status` and `scale`."""
    custom: bool = False
    """A custom resource: pruned and validated by schema,
    no strategic merge patch, resourceVersion required for PUT.
    """
    schema: ObjectSchema
    strategy: Strategy = Strategy()
    presentation: Presentation = Presentation()
    api_version: str = ""
    """`group/version`, or the version alone in the core group; made of these, as the next one is."""
    stored_as: tuple[str, str] = ("", "")
    """(group, plural) under which objects are stored."""
    view: Hashable = None
    """What the look of a stored object depends on: the version, and of custom ones the schema, whose defaults
    show without a write (FK-262).
    """

    def __post_init__(self) -> None:
        # Every request reads these several times.
        force_setattr(self, "api_version", f"{self.group}/{self.version}" if self.group else self.version)
        force_setattr(self, "stored_as", self.schema.storage_key or (self.group, self.plural))
        view = self.api_version, id(self.schema.structural), self.schema.converter
        force_setattr(self, "view", view if self.custom else self.api_version)

    @property
    def resource(self) -> str:
        """`plural.group`, as error messages name a resource (R of spec/apiserver.md §3)."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def group_kind(self) -> str:
        """`Kind.group`, as error messages name a kind (K of spec/apiserver.md §3)."""
        return f"{self.kind}.{self.group}" if self.group else self.kind
