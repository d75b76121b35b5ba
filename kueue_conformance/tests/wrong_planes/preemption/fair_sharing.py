"""Wrong about fair sharing: shares, whom they let take from whom, and whose turn it is (Q-221, Q-258, Q-272,
Q-376, QC-12, QC-13).
"""

from dataclasses import replace
from fractions import Fraction

from reference_impl.kueue.queues import status
from reference_impl.kueue.queues.shares import Shares
from reference_impl.kueue.quota import shares
from reference_impl.kueue.quota.shares import DominantResourceShare
from reference_impl.kueue.quota.tree import leaves
from reference_impl.kueue.scheduling import legacy_v0_6
from reference_impl.kueue.scheduling.assignment import PreemptionMode
from reference_impl.kueue.scheduling.entry import classical_order
from reference_impl.kueue.scheduling.fair_order import FairOrder, Tournament
from reference_impl.kueue.scheduling.preemption import fair_search, search, wording
from reference_impl.kueue.scheduling.preemption.candidates import PreemptionVariant
from reference_impl.kueue.scheduling.preemption.fair import FairPreemptor
from reference_impl.kueue.scheduling.preemption.fair_search import FairSearch, TargetClusterQueues
from reference_impl.kueue.scheduling.preemption.targets import PreemptionReason

from ...killing.planes import instead, wrong


def share_status(number):
    """Return the share in a status."""
    return {"fairSharing": {"weightedShare": number}}


@wrong((status, "render_share"))
def rounds_shares_down(shown, share):
    """Breaks QC-12: tells a share cut down to a whole number; QUE-200 must catch it."""
    if share is None or share.degree.is_infinite:
        return shown(share)
    return share_status(int(share.degree.amount))


@wrong((status, "render_share"))
def tells_a_finite_share_of_who_weighs_nothing(shown, share):
    """Breaks QC-12: reports borrowed quota where a queue weighs nothing; QUE-201[a-third] must catch it."""
    return shown(share) if share is None else share_status(int(share.degree.amount))


@wrong((shares, "weight_of"))
def knows_no_weights(_, spec):
    """Breaks Q-272: takes all queues for equally heavy; QUE-201 must catch it."""
    return Fraction(1)


@wrong((shares, "weight_of"))
def multiplies_by_the_weight(weight_of, spec):
    """Breaks Q-272: has heavy queues share what they borrow more than light ones; QUE-201 must catch it."""
    weight = weight_of(spec)
    return 1 / weight if weight else weight


@wrong((shares, "lendable"))
def divides_by_all_there_is(_, cohort, resource):
    """Breaks QC-12: counts quota as lent that is not lent; QUE-200[what-is-lent-counts] must catch it."""
    *_, root = cohort.path()
    return sum(
        quota.nominal
        for node in (*leaves(root), cohort)
        for fr, quota in node.quotas.items()
        if fr.resource == resource
    )


@wrong((shares, "lendable"))
def divides_by_what_the_root_lends(lendable, cohort, resource):
    """Breaks QC-12: counts what the root could lend, whatever reaches the cohort;
    QUE-202[behind-a-limit] must catch it.
    """
    *_, root = cohort.path()
    return lendable(root, resource)


def ratios(node):
    """Return the ratio of each resource of a node, and what it borrows of each flavor."""
    over = {fr: node.usage_of(fr) - total for fr, total in node.subtree.items() if node.usage_of(fr) > total}
    result: dict[str, list[Fraction]] = {}
    for fr, value in over.items():
        most = shares.lendable(node.parent, fr.resource)
        result.setdefault(fr.resource, []).append(Fraction(1000 * value, most) if most else Fraction(0))
    return result


@wrong((shares, "share"))
def takes_each_flavor_by_itself(share, node):
    """Breaks QC-12: takes the largest share over flavors and does not add them up;
    QUE-200[over-two-flavors] must catch it.
    """
    dominant_share = share(node)
    ratios_by_level = ratios(node).values() if node.parent else ()
    return replace(
        dominant_share, ratio=max((max(item) for item in ratios_by_level), default=dominant_share.ratio)
    )


@wrong((shares, "share"))
def adds_up_resources(share, node):
    """Breaks QC-12: adds up the shares of resources; QUE-200[the-larger-resource] must catch it."""
    dominant_share = share(node)
    ratios_by_level = ratios(node).values() if node.parent else ()
    return replace(dominant_share, ratio=sum((sum(item) for item in ratios_by_level), Fraction(0)))


@wrong((Shares, "of_cohort"))
def tells_no_shares_of_cohorts(_, self, name):
    """Breaks Q-376: tells the shares of queues alone; QUE-202 must catch it."""
    return


@wrong((Shares, "of_cluster_queue"))
def tells_shares_of_who_borrows_only(of_cluster_queue, self, name):
    """Breaks Q-376: tells a share only while something is borrowed; QUE-203 must catch it."""
    cluster_queue = of_cluster_queue(self, name)
    return cluster_queue if cluster_queue is None or cluster_queue.borrowed else None


# Who has to go


@wrong((TargetClusterQueues, "_key"))
def takes_from_the_smallest_share(key_of, self, node):
    """Breaks Q-272: begins with the queue that borrows least; QUE-205 must catch it."""
    key = key_of(self, node)
    return None if key is None else (not key[0], -key[1], *key[2:])


@wrong((TargetClusterQueues, "_key"))
def takes_from_the_least_important(key_of, self, node):
    """Breaks QC-13: begins with the least important Workload of all queues;
    QUE-206[from-the-greedier-of-two] must catch it.
    """
    key = key_of(self, node)
    if key is None or not node.is_queue:
        return key
    return (False, self._waiting[node][0].holding.priority, *key[2:])


@wrong((FairSearch, "_is_owed"))
def asks_strategies_of_what_is_owed(_, self):
    """Breaks QC-13: lets a queue have its own quota only if its share allows it; QUE-205 must catch it."""
    return False


@wrong((FairSearch, "_remove"))
def calls_a_reclaim_fair_sharing(remove, self, candidate, variant):
    """Breaks QC-13: gives fair sharing as the reason where a
    queue takes its own quota back; QUE-205 must catch it.
    """
    return remove(
        self,
        candidate,
        PreemptionVariant.FAIR_SHARING if variant is PreemptionVariant.WITHIN_NOMINAL else variant,
    )


@wrong((FairSearch, "_by_initial_share"))
def knows_final_shares_only(_, self, candidates):
    """Breaks Q-272: never takes what leaves the other queue less; QUE-206 must catch it."""
    return iter(())


@wrong((FairPreemptor, "targets"))
def knows_initial_shares_only(targets, self, *args):
    """Breaks Q-272: does not look for a victim whose queue keeps enough;
    QUE-206[the-one-that-leaves-enough] must catch it.
    """
    return targets(replace(self, strategies=(fair_search.to_initial_share,)), *args)


@wrong((fair_search, "to_initial_share"))
def takes_from_equals(_, preemptor, before, after):
    """Breaks Q-272: lets a queue get as much as the other had;
    QUE-206[as-much-as-the-other-had] must catch it.
    """
    return preemptor <= before


@wrong((FairPreemptor, "may_borrow"))
def borrows_only_with_a_policy(_, self, policies):
    """Breaks Q-167: asks for borrowWithinCohort where shares decide; QUE-206 must catch it."""
    return policies.borrow_within_cohort != "Never"


@wrong((search, "fill_back"))
def puts_no_fair_victim_back(_, claim, removed, forest, *, borrowing):
    """Breaks Q-269: preempts all that it looked at; QUE-206 must catch it."""
    return removed


@wrong((FairSearch, "run"))
def takes_from_who_weighs_something(run, self, candidates, chosen):
    """Breaks QC-12: lets a queue that weighs nothing take
    from one that weighs something; QUE-208 must catch it.
    """
    node = self.claim.node
    weight, node.weight = node.weight, node.weight or Fraction(1)
    try:
        return run(self, candidates, chosen)
    finally:
        node.weight = weight


@wrong((fair_search, "below_common_ancestor"))
def compares_queues_and_not_sides(_, first, other):
    """Breaks Q-272: compares the shares of queues, whatever side they are on; QUE-211 must catch it."""
    return first, other


@wrong((FairSearch, "_remove"))
def calls_every_victim_reclaimed(remove, self, candidate, variant):
    """Breaks Q-258: gives reclamation as the reason for
    every victim of another queue; QUE-206 must catch it.
    """
    return remove(
        self,
        candidate,
        PreemptionVariant.WITHIN_NOMINAL if variant is PreemptionVariant.FAIR_SHARING else variant,
    )


instead(
    wording,
    "REASONS",
    {**wording.REASONS, PreemptionReason.FAIR_SHARING: "a fair share"},
    "Breaks M-060: tells a victim of a fair share in words of its own; QUE-214 should catch it.",
    called="puts_fair_sharing_otherwise",
)


# Whose turn it is


@wrong((FairOrder, "__call__"))
def keeps_the_classical_order(_, self, entries):
    """Breaks Q-221: goes by priority and age, whatever the shares are; QUE-220 must catch it."""
    return classical_order(entries)


@wrong((Tournament, "_key"))
def compares_shares_as_they_are(_, self, node, entry):
    """Breaks Q-221: does not count what the Workload would add;
    QUE-220[who-would-borrow-less] must catch it.
    """
    return (False, shares.share(node).degree, entry.sort_key[1:])


@wrong((Tournament, "_key"))
def lets_the_greedy_go_first(key_of, self, node, entry):
    """Breaks Q-221: begins with the largest share; QUE-220 must catch it."""
    borrows, degree, rest = key_of(self, node, entry)
    return (borrows, (not degree.is_infinite, -degree.amount), rest)


@wrong((Tournament, "_key"))
def goes_by_age_among_equals(key_of, self, node, entry):
    """Breaks Q-221: takes no notice of priority where shares are equal;
    QUE-220[priority-among-equals] must catch it.
    """
    borrows, degree, (_, *rest) = key_of(self, node, entry)
    return (borrows, degree, tuple(rest))


@wrong((Tournament, "_key"))
def lets_queues_compete_and_not_sides(key_of, self, node, entry):
    """Breaks Q-221: compares the shares of queues on every level; QUE-221 must catch it."""
    return key_of(self, self._forest.queues[entry.cluster_queue], entry)


@wrong((DominantResourceShare, "borrows"))
def forgets_who_stays_within_its_own(_, self, flavor_resources):
    """Breaks Q-221: goes by shares where one of two needs to borrow nothing; QUE-222 should catch it."""
    return False


@wrong((legacy_v0_6, "_without_room"), dialect="docs-2024")
def lets_no_borrower_preempt_for_its_share(right, context, fr, value):
    """Breaks Q-272: asks for borrowWithinCohort before a
    queue may preempt for its share; QUE-206 must catch it.
    """
    if context.spec.preemption.borrow_within_cohort == "Never" and value > context.node.quota(fr).nominal:
        return PreemptionMode.NO_FIT, 0
    return right(context, fr, value)


@wrong((FairPreemptor, "may_borrow"))
def borrows_over_its_own_without_reclaim(_, self, policies):
    """Breaks Q-167: preempts for what it would borrow in a
    queue that may not reclaim; QUE-329 should catch it.
    """
    return True
