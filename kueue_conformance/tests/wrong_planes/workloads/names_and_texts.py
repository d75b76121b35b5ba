"""Wrong about names that are easily mistaken for each other, and about texts that look like templates."""

from reference_impl.kueue.checks.entries import Checks

from ...killing.planes import wrong

LABEL_LENGTH = 63


@wrong((Checks, "sync"))
def lists_checks_by_their_first_63_characters(sync, checks, required, current_time):
    """Breaks AC-357: takes two checks of one beginning for one;
    ADM-201[2-checks-last-answers-first-job-drawn]
    must catch it.
    """
    return sync(checks, {name[:LABEL_LENGTH]: name for name in required}.values(), current_time)
