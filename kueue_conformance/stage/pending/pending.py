"""The pending Workloads of a ClusterQueue or a LocalQueue, as one user gets them (KEP-168-2)."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

from ...case.context import CaseContext
from ...history.fact import Fact
from ...history.pending_lists import ListAnswer
from ...wire.client import ApiError, Client
from .listing import Listing
from .positions import ListedWorkload, Positions

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
        self._newest: dict[str, Listing] = context.answers.setdefault((client, self.path), {})

    def read(self, **query: str) -> Listing:
        """Return the answer to one request."""
        try:
            return Listing(200, self._client.call("GET", self.path, **query))
        except ApiError as error:
            return Listing(error.code, error.status)

    # What is in the list

    def lists(self, *workloads: ListedWorkload) -> Fact:
        """Exactly these are listed, in this order."""
        return self.lists_on_page(*workloads)

    def lists_on_page(self, *workloads: ListedWorkload, **query: str) -> Fact:
        """The answer to a query such as `limit="2"` lists exactly these, in this order."""
        expected, listing = tuple(map(_key, workloads)), self.newest_answer(**query)
        query_text = f" for {query}" if query else ""
        names = ", ".join(expected) or "nothing"
        return Fact(
            listing.code == 200 and listing.workloads == expected,
            f"{self} lists {names}{query_text}",
            str(listing),
        )

    def lists_nothing(self) -> Fact:
        """The list is there and empty."""
        return self.lists()

    def has(self, workload: ListedWorkload) -> Fact:
        """The Workload is listed."""
        listing = self.newest_answer()
        return Fact(_key(workload) in listing.workloads, f"{self} has {_key(workload)}", str(listing))

    def has_at(self, workload: ListedWorkload, in_cluster_queue: int, in_local_queue: int) -> Fact:
        """The Workload is listed with these positions."""
        listing, expected = self.newest_answer(), (_key(workload), in_cluster_queue, in_local_queue)
        return Fact(
            expected in listing.positions,
            f"{self} has {expected[0]} at {in_cluster_queue}/{in_local_queue}",
            str(listing),
        )

    def has_positions(self, text: str) -> Fact:
        """The entries have these positions, in the ClusterQueue
        and in the LocalQueue, in this order: `0/0 1/1`.
        """
        return self.has_positions_on_page(text)

    def has_positions_on_page(self, text: str, **query: str) -> Fact:
        """The entries of a page have these positions."""
        listing = self.newest_answer(**query)
        positions = " ".join(
            f"{position.in_cluster_queue}/{position.in_local_queue}" for position in listing.positions
        )
        query_text = f" for {query}" if query else ""
        return Fact(
            listing.code == 200 and positions == text,
            f"{self} has the positions {text}{query_text}",
            str(listing),
        )

    def has_length(self, number: int) -> Fact:
        """So many are listed."""
        listing = self.newest_answer()
        holds = listing.code == 200 and len(listing.items) == number
        return Fact(holds, f"{self} lists {number} Workloads", str(listing))

    def shows_fields(self, workload: ListedWorkload, **fields: object) -> Fact:
        """The entry of a Workload has these fields."""
        listing = self.newest_answer()
        item = listing.item(_key(workload)) or {}
        observed_fields = {name: item.get(name) for name in fields}
        return Fact(
            observed_fields == fields,
            f"{self} has {fields} of {_key(workload)}",
            f"{observed_fields} in {listing}",
        )

    def shows_owners(self, workload: ListedWorkload, *owners: Mapping[str, str]) -> Fact:
        """The entry of a Workload names exactly these owners, in this order, with exactly these fields; the
        uid may be any.
        """
        listing = self.newest_answer()
        references = (listing.item(_key(workload)) or {"metadata": {}})["metadata"].get("ownerReferences", [])
        observed_owners = [
            {key: value for key, value in reference.items() if key != "uid"} for reference in references
        ]
        holds = observed_owners == [dict(owner) for owner in owners] and all(
            reference.get("uid") for reference in references
        )
        return Fact(
            holds, f"{self} names the owners {owners} of {_key(workload)}", f"{references} in {listing}"
        )

    # Whether there is one

    def is_served(self) -> Fact:
        """The answer is a list."""
        listing = self.newest_answer()
        return Fact(listing.code == 200, f"{self} is answered", str(listing))

    def is_refused(self, code: int, reason: str = "", **query: str) -> Fact:
        """The answer is a Status with this code and reason."""
        listing = self.newest_answer(**query)
        holds = listing.code == code and (not reason or listing.document.get("reason") == reason)
        return Fact(holds, f"{self} is refused with {code} {reason}".rstrip(), str(listing))

    def shows_message(self, message: str, **query: str) -> Fact:
        """The refusal has exactly this message."""
        listing = self.newest_answer(**query)
        return Fact(listing.document.get("message") == message, f"{self} says {message!r}", str(listing))

    def newest_answer(self, **query: str) -> Listing:
        """Return a new answer; the newest that there was where
        the past is looked at, of which no server tells.
        """
        query_text = urlencode(query)
        if query_text not in self._newest or self._context.viewpoint.moment is None:
            self._newest[query_text] = self.read(**query)
            self._is_told(query_text, self._newest[query_text])
        return self._newest[query_text]

    def _is_told(self, query_text: str, listing: Listing) -> None:
        """Add the answer to the report."""
        places = tuple(
            (position.workload, f"{position.in_cluster_queue}/{position.in_local_queue}")
            for position in listing.positions
        )
        path = f"{self.path}?{query_text}" if query_text else self.path
        refusal = "" if listing.code == 200 else str(listing)
        self._context.lists.note(ListAnswer(self._context.history.last_revision, path, places, refusal))

    def __str__(self) -> str:
        return f"GET {self.path}"


def _key(workload: ListedWorkload) -> str:
    return f"{workload.namespace}/{workload.name}"
