"""What a fault can hit: one request, or one event of the watch that a request opened."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

LONGEST_CHARACTERS = 1024
"""Characters of a text of a subject that is remembered."""


class Subject(Struct, frozen=True, kw_only=True):
    """A request as rules see it; of a watch event `namespace` and `name` are those of the object."""

    verb: str
    group: str = ""
    resource: str = ""
    subresource: str = ""
    namespace: str = ""
    name: str = ""
    user: str = ""
    user_agent: str = ""

    @property
    def resources(self) -> tuple[str, str]:
        """The names a rule may use: `jobs/status`, `jobs.batch/status`."""
        sub = f"/{self.subresource}" if self.subresource else ""
        # As kubectl names a resource with its group.
        full = f"{self.resource}.{self.group}" if self.group else self.resource
        return f"{self.resource}{sub}", f"{full}{sub}"

    @property
    def actors(self) -> tuple[str, str]:
        """The user, and the first word of the user agent."""
        return self.user, self.user_agent.partition("/")[0]

    def shorten(self) -> Subject:
        """Return the subject as it may be remembered: a head may be a megabyte long."""
        texts = {
            name: text[:LONGEST_CHARACTERS] + "…"
            for name in self.__struct_fields__
            if len(text := getattr(self, name)) > LONGEST_CHARACTERS
        }
        return replace(self, **texts) if texts else self
