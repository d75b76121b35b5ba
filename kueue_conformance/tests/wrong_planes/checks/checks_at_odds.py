"""Wrong about checks whose controllers cannot be used together (AC-416, AC-417, AC-418)."""

from reference_impl.kueue.quota import problems

from ...killing.planes import wrong


@wrong((problems, "several_multikueue"))
def takes_two_multikueue_checks(_, spec, flavors, checks):
    """Breaks AC-416: admits with two checks for other clusters; ADM-102 should catch it."""


@wrong((problems, "multikueue_for_flavors"))
def takes_a_multikueue_check_for_a_flavor(_, spec, flavors, checks):
    """Breaks AC-417: admits with a check for other clusters
    that is for one flavor; ADM-102 should catch it.
    """


@wrong((problems, "multikueue_and_provisioning"))
def takes_provisioning_for_other_clusters(_, spec, flavors, checks):
    """Breaks AC-418: admits with checks for other clusters and for capacity here; ADM-102 should catch it."""


@wrong((problems, "multikueue_and_provisioning"))
def names_no_checks_at_odds(right, spec, flavors, checks):
    """Breaks AC-418: does not name the checks that cannot be used together; ADM-452 may catch it."""
    problem = right(spec, flavors, checks)
    return problem and problem._replace(text=problem.text.partition(", found")[0])
