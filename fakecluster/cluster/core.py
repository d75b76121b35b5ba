"""The parts of one cluster that do no I/O, put together:
store, kinds, API, journal and time; and how they fork.
"""

from __future__ import annotations

from random import Random
from typing import Self

from msgspec import Struct

from ..admission.cluster_admission import ClusterAdmission
from ..admission.plugin_chain import PluginChain
from ..admission.policies.policies import Policies
from ..admission.webhooks.authorizer_questions import Decide
from ..admission.webhooks.webhooks import Webhooks
from ..aggregation.extension import ExtensionIndex
from ..aggregation.extension_documents import ExtensionKnowledge
from ..aggregation.handler import Aggregation
from ..aggregation.merging import ExtensionMerger
from ..aggregation.registration import Registration
from ..api.attributes import Attributes
from ..api.registry import Registry
from ..auth.authentication.front_proxy import authentication
from ..auth.authentication.service_accounts import ISSUER
from ..auth.security import Security, Settings
from ..base.clock import Clock, VirtualClock
from ..base.json_types import Json
from ..codec.negotiation import Negotiator
from ..crds import CRD, CrdFollower
from ..discovery.pages import Pages
from ..fairness.dangling_condition import DanglingCondition
from ..fairness.restorer import ConfigurationRestorer
from ..journal import Journal
from ..kinds import BUILTIN_KINDS
from ..kinds.bootstrap import populate
from ..kinds.subresources import VERBS
from ..registry.machinery import Api
from ..registry.readonly import ReadOnly
from ..store import Snapshot, Store


class Core(Struct, frozen=True):
    """One cluster without its network."""

    store: Store
    registry: Registry
    clock: Clock
    journal: Journal
    api: Api
    random: Random
    security: Security
    definitions: CrdFollower
    extensions: ExtensionIndex
    learned: ExtensionKnowledge

    @classmethod
    def fresh(cls, clock: Clock, seed: int, settings: Settings) -> Self:
        """Return a cluster with nothing but what every cluster has."""
        random = Random(seed)  # noqa: S311 - reproducible
        core = cls.of(Store(), Registry((*BUILTIN_KINDS, CRD)), clock, random, settings)
        populate(core.store, core.registry, core.random, clock.now(), (authentication(settings.issuers),))
        return core.start_followers()

    @classmethod
    def of(
        cls,
        store: Store,
        registry: Registry,
        clock: Clock,
        random: Random,
        settings: Settings,
        journal: Journal | None = None,
    ) -> Self:
        """Put a cluster together over a store."""
        journal = journal or Journal(current_time=clock.now)
        definitions = CrdFollower(store, registry, clock, settings.converters)
        # Subscribed before the pages and the API exist: the registry must know the kinds that are stored
        # when these look.
        definitions.start()
        Registration(store, clock.now).start()
        security = Security.of(settings, store, clock, random)
        book, knowledge = ExtensionIndex(store), ExtensionKnowledge()
        pages = Pages(registry, ISSUER, settings.signer, ExtensionMerger(book, knowledge))
        plugins = PluginChain(settings.disabled_admission_plugins)
        webhooks = Webhooks(plugins, store, _decide_by(security))
        policies = Policies(store, _decide_by(security))
        checks, disabled = security.checks(store, registry), frozenset(settings.disabled_admission_plugins)
        admission = ClusterAdmission(plugins, policies, webhooks, checks, disabled)
        api = Api(
            store,
            registry,
            clock,
            handlers=(*security.handlers(), Aggregation(book, knowledge)),
            pages=pages,
            subresources={**VERBS, **security.verbs()},
            negotiate=Negotiator(clock),
            admission=admission,
            random=random,
            journal=journal,
            services=settings.services,
            patience=settings.patience,
        )
        return cls(store, registry, clock, journal, api, random, security, definitions, book, knowledge)

    def start_followers(self) -> Self:
        """Start the parts that react to writes, and return the cluster."""
        DanglingCondition(self.store, self.registry, self.clock.now).start()
        ConfigurationRestorer(self.store, self.registry, self.clock, self.random).start()
        return self

    def fork_at(self, revision: int, journal: Journal | None = None) -> Core:
        """Return a cluster that shows this one as it was at a revision and changes nothing.

        Raises Expired.
        """
        clock = self.clock.fork() if isinstance(self.clock, VirtualClock) else self.clock
        store, registry, settings = self.store.fork(revision), self.registry.fork(), self.security.settings
        past = Core.of(store, registry, clock, Random(0), settings, journal)  # noqa: S311 - nothing is named
        past.definitions.sync()
        # The first handler decides, so every write is refused before it is looked at.
        past.api.handlers = (ReadOnly(revision), *past.api.handlers)
        return past

    def fork_of_earlier(self, revisions: int) -> Core:
        """Return the cluster of so many revisions ago,
        as far back as history goes; it writes into this one's journal.
        """
        return self.fork_at(max(self.store.oldest, self.store.revision - revisions), self.journal)

    def fork(self) -> Core:
        """Return a cluster of its own that starts from this one's state and time."""
        clock = self.clock.fork() if isinstance(self.clock, VirtualClock) else self.clock
        random = Random()  # noqa: S311 - the same stream goes on in both
        # Both go on from here with the same numbers: a fork is to do what the original would have done.
        random.setstate(self.random.getstate())
        child = Core.of(self.store.fork(), self.registry.fork(), clock, random, self.security.settings)
        child.extensions.answer_inside(self.extensions.inside)
        child.learned.take_over(self.learned)
        return child.start_followers()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a state."""
        self.store.restore(snapshot)
        self.definitions.sync()
        # APIServices may have come or gone with the state.
        self.extensions.forget()

    def resources(self) -> frozenset[str] | None:
        """Return the served resources, as rules of faults name them: `jobs`, `jobs.batch/status`.

        None where other servers serve more.
        """
        if self.extensions.all():
            return None
        kinds = self.registry.kinds()
        subs = {(kind.group, kind.plural, sub) for kind in kinds for sub in ("", *kind.subresources)}
        subs.update(self.api.subresources)
        served = {(kind.group, kind.plural) for kind in kinds}
        return frozenset(
            f"{name}/{sub}" if sub else name
            for group, plural, sub in subs
            if (group, plural) in served
            for name in (plural, f"{plural}.{group}" if group else plural)
        )

    def path_of(self, obj: Json) -> str:
        """Return the path of an object. Raises LookupError when its kind is not served."""
        kind = self.registry.of_kind(obj["apiVersion"], obj["kind"])
        if kind is None:
            raise LookupError(
                f"no resource of this cluster is a {obj['apiVersion']} {obj['kind']}: apply its definition first"
            )
        root = f"/apis/{kind.api_version}" if kind.group else f"/api/{kind.version}"
        metadata = obj["metadata"]
        scope = f"/namespaces/{metadata.get('namespace') or 'default'}" if kind.namespaced else ""
        return f"{root}{scope}/{kind.plural}/{metadata['name']}"


def _decide_by(security: Security) -> Decide:
    """Return how conditions of webhooks learn what a user may do."""

    def decide(wish: Attributes) -> tuple[bool, str]:
        decision = security.authorizer.decide(wish)
        return decision.allowed, decision.reason

    return decide
