"""The webhook that converts between the versions of a definition, and the exception that asks for a
conversion (FK-330, FK-335).

Looking up a converted object is pure: when it is not converted yet, it raises `NeedsConversion`;
`conversion.on_demand` asks the webhook, and what looked it up is computed again. A conversion is kept beside
the revision that it converts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from msgspec import Struct

from ..base.json_types import Json
from ..store import Stored

Convert = Callable[[Json, str], Json]
"""(object, apiVersion) → the object in that version."""


class Converter(Struct, frozen=True, kw_only=True):
    """Where a definition's objects are converted; equal ones share what they converted."""

    url: str
    service: tuple[str, str, int] | None = None
    """Namespace, name and port of the Service that the URL names."""
    ca: bytes | None = None
    local: Convert | None = None
    """A function of this process that is asked instead (FK-336)."""
    reviews: str
    """The version of ConversionReview that both sides know."""
    generation: int = 0
    """Of the definition: what was converted is forgotten whenever that changes."""
    since: int = 0
    """The revision at which the definition got it: what is older has to be converted before any list."""

    def convert(self, stored: Stored, obj: Json, version: str) -> Json:
        """Return an object in another version.

        `obj` is the object of `stored`, with defaults. Raises NeedsConversion.
        """
        result = stored.cache.get((self, version))
        if result is None:
            raise NeedsConversion(self, version, [ConversionInput(stored, obj)])
        if isinstance(result, ConversionFailed):
            raise result
        return result

    def forget_failure(self, stored: Stored, version: str) -> bool:
        """Forget that an object was not converted,
        so that a request tries again; return whether it was so.
        """
        failed = isinstance(stored.cache.get((self, version)), ConversionFailed)
        if failed:
            del stored.cache[self, version]
        return failed


class ConversionInput(Struct, frozen=True):
    """An object to convert: the revision that keeps the result, and the object that is sent."""

    stored: Stored
    obj: Json


class NeedsConversion(Exception):
    """Something cannot be computed before some objects are converted.

    `survivable` says that the computation knows what to do without: then a failure is kept as well, and met
    by the lookup. `first` says that nothing can be listed before these are converted.
    """

    def __init__(
        self,
        converter: Converter,
        version: str,
        inputs: Sequence[ConversionInput],
        *,
        survivable: bool = False,
        first: bool = False,
    ) -> None:
        super().__init__(f"{len(inputs)} objects are needed in {version}")
        self.survivable = survivable
        self.first = first
        self.converter = converter
        self.version = version
        self.inputs = tuple(inputs)

    @property
    def key(self) -> Hashable:
        """The same for needs of the same conversions."""
        return (
            self.converter,
            self.version,
            tuple((entry.stored.uid, entry.stored.revision) for entry in self.inputs),
        )

    def split(self) -> list[NeedsConversion]:
        """Return the need of each object by itself: that is how the real server asks."""
        return [
            NeedsConversion(
                self.converter, self.version, [entry], survivable=self.survivable, first=self.first
            )
            for entry in self.inputs
        ]


class ConversionFailed(Exception):
    """The webhook did not convert; the text says why (FK-332)."""
