"""The pending Workloads of a ClusterQueue or a LocalQueue, as one user gets them (KEP-168-2)."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from ...case.context import CaseContext
from ...history.fact import Fact
from ...history.pending_lists import ListAnswer
from ...wire.client import ApiError, Client
from .listing import Listing
from .positions import Named, Positions

GROUP = "visibility.kueue.x-k8s.io"


class Pending(Positions):
    """One endpoint of the visibility API; `listed` is its subresource.

    Its facts ask anew each time; a look into the past sees the newest answer.
    """

    def __init__(
        self,
        context: CaseContext,
        client: Client,
        path: str,
        *,
        version: str = "",
        listed: str = "pendingworkloads",
    ) -> None:
        self._context = context
        self._client = client
        spoken = version or context.dialect.fact("visibility-version")
        self.path = f"/apis/{GROUP}/{spoken}/{path}/{listed}"
        self._newest: dict[str, Listing] = context.answers.setdefault((id(client), self.path), {})

    def read(self, **query: str) -> Listing:
        """Return the answer to one request."""
        try:
            return Listing(200, self._client.call("GET", self.path, **query))
        except ApiError as error:
            return Listing(error.code, error.status)

    # What is in the list

    def lists(self, *workloads: Named) -> Fact:
        """Exactly these are listed, in this order."""
        return self.lists_on_page(*workloads)

    def lists_on_page(self, *workloads: Named, **query: str) -> Fact:
        """The answer to a query such as `limit="2"` lists exactly these, in this order."""
        wanted, seen = tuple(map(_key, workloads)), self.newest_answer(**query)
        asked = f" for {query}" if query else ""
        names = ", ".join(wanted) or "nothing"
        return Fact(seen.code == 200 and seen.workloads == wanted, f"{self} lists {names}{asked}", str(seen))

    def lists_nothing(self) -> Fact:
        """The list is there and empty."""
        return self.lists()

    def has(self, workload: Named) -> Fact:
        """The Workload is listed."""
        seen = self.newest_answer()
        return Fact(_key(workload) in seen.workloads, f"{self} has {_key(workload)}", str(seen))

    def has_at(self, workload: Named, in_cluster_queue: int, in_local_queue: int) -> Fact:
        """The Workload is listed with these positions."""
        seen, wanted = self.newest_answer(), (_key(workload), in_cluster_queue, in_local_queue)
        return Fact(
            wanted in seen.positions,
            f"{self} has {wanted[0]} at {in_cluster_queue}/{in_local_queue}",
            str(seen),
        )

    def has_positions(self, text: str) -> Fact:
        """The entries have these positions, in the ClusterQueue
        and in the LocalQueue, in this order: `0/0 1/1`.
        """
        return self.has_positions_on_page(text)

    def has_positions_on_page(self, text: str, **query: str) -> Fact:
        """The entries of a page have these positions."""
        seen = self.newest_answer(**query)
        found = " ".join(f"{one.in_cluster_queue}/{one.in_local_queue}" for one in seen.positions)
        asked = f" for {query}" if query else ""
        return Fact(seen.code == 200 and found == text, f"{self} has the positions {text}{asked}", str(seen))

    def has_length(self, number: int) -> Fact:
        """So many are listed."""
        seen = self.newest_answer()
        held = seen.code == 200 and len(seen.items) == number
        return Fact(held, f"{self} lists {number} Workloads", str(seen))

    def shows_fields(self, workload: Named, **fields: object) -> Fact:
        """The entry of a Workload has these fields."""
        seen = self.newest_answer()
        item = seen.item(_key(workload)) or {}
        found = {name: item.get(name) for name in fields}
        return Fact(found == fields, f"{self} tells {fields} of {_key(workload)}", f"{found} in {seen}")

    def shows_owners(self, workload: Named, *owners: Mapping[str, str]) -> Fact:
        """The entry of a Workload names exactly these owners, in this order, with exactly these fields; the
        uid may be any.
        """
        seen = self.newest_answer()
        told = (seen.item(_key(workload)) or {"metadata": {}})["metadata"].get("ownerReferences", [])
        found = [{key: value for key, value in one.items() if key != "uid"} for one in told]
        held = found == [dict(one) for one in owners] and all(one.get("uid") for one in told)
        return Fact(held, f"{self} names the owners {owners} of {_key(workload)}", f"{told} in {seen}")

    # Whether there is one

    def is_served(self) -> Fact:
        """The answer is a list."""
        seen = self.newest_answer()
        return Fact(seen.code == 200, f"{self} is answered", str(seen))

    def is_refused(self, code: int, reason: str = "", **query: str) -> Fact:
        """The answer is a Status with this code and reason."""
        seen = self.newest_answer(**query)
        held = seen.code == code and (not reason or seen.document.get("reason") == reason)
        return Fact(held, f"{self} is refused with {code} {reason}".rstrip(), str(seen))

    def shows_message(self, message: str, **query: str) -> Fact:
        """The refusal has exactly this message."""
        seen = self.newest_answer(**query)
        return Fact(seen.document.get("message") == message, f"{self} says {message!r}", str(seen))

    def newest_answer(self, **query: str) -> Listing:
        """Return a new answer; the newest that there was where
        the past is looked at, of which no server tells.
        """
        asked = urlencode(query)
        if asked not in self._newest or self._context.viewpoint.moment is None:
            self._newest[asked] = self.read(**query)
            self._is_told(asked, self._newest[asked])
        return self._newest[asked]

    def _is_told(self, asked: str, seen: Listing) -> None:
        """Add the answer to the report."""
        places = tuple(
            (one.workload, f"{one.in_cluster_queue}/{one.in_local_queue}") for one in seen.positions
        )
        path = f"{self.path}?{asked}" if asked else self.path
        refusal = "" if seen.code == 200 else str(seen)
        self._context.lists.note(ListAnswer(self._context.history.last_revision, path, places, refusal))

    def __str__(self) -> str:
        return f"GET {self.path}"


def _key(workload: Named) -> str:
    return f"{workload.namespace}/{workload.name}"
