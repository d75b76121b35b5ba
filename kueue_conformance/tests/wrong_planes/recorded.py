"""Wrong in ways that only the recorded stories tell: times, generations, counters, events and texts
(AC-250…276, AC-340…349).
"""

from dataclasses import replace

from reference_impl.api import instants
from reference_impl.kueue.checks import entries
from reference_impl.kueue.workload import admitted, conditions, eviction, messages
from reference_impl.kueue.workload.draft import StatusDraft

from ..killing.planes import instead, wrong


@wrong((conditions, "put"))
def writes_the_generation_before(put, conditions, new, generation, current_time):
    """Breaks AC-273: writes the generation before the one that it saw; KRC-002 must catch it."""
    return put(conditions, new, generation and generation - 1, current_time)


@wrong((eviction, "evict"))
def evicts_without_telling(evict, *args):
    """Breaks AC-342: evicts without an event; KRC-016 must catch it."""
    return replace(evict(*args), events=())


@wrong((eviction, "evict"))
def tells_of_an_eviction_as_a_warning(evict, *args):
    """Breaks AC-342: reports an eviction by an event of another type; KRC-017 must catch it."""
    decided = evict(*args)
    return replace(decided, events=tuple(replace(event, type="Warning") for event in decided.events))


@wrong((eviction, "_count"))
def does_not_count_evictions(_, draft, eviction):
    """Breaks AC-344: evicts without counting it; KRC-002 must catch it."""
    return draft


@wrong((entries, "_reset"))
def counts_no_retries(reset, entry, current_time):
    """Breaks AC-345: resets an entry that said Retry without counting it; KRC-016 must catch it."""
    return {key: value for key, value in reset(entry, current_time).items() if key != "retryCount"}


@wrong((StatusDraft, "set"))
def never_says_that_it_was_requeued(put, draft, condition, *args):
    """Breaks AC-268: leaves the condition Requeued out; KRC-003 must catch it."""
    return draft if condition.type == "Requeued" else put(draft, condition, *args)


@wrong((messages, "previously"))
def forgets_what_was_before(_, message):
    """Breaks AC-266: the text of a condition that holds no longer does not say so; KRC-116 may catch it."""
    return message


@wrong((messages, "_name"))
def names_checks_without_quotes(_, entry):
    """Breaks AC-276: the text of an eviction names checks in another form; KRC-117 may catch it."""
    return str(entry["name"])


instead(
    messages,
    "ADMITTED",
    "The workload was admitted",
    "Breaks AC-258: the text of the admission is another one; KRC-118 may catch it.",
    called="says_that_it_was_admitted",
)


@wrong((admitted, "_lost"))
def tells_less_of_a_release(right, reserved, ready, reasons):
    """Breaks AC-259: the text of an admission that is taken back is another one; KRC-102 may catch it."""
    lost = right(reserved, ready, reasons)
    return lost if reserved or ready else replace(lost, message="Not all checks are ready")


@wrong((conditions, "put"))
def moves_the_time_with_every_write(put, conditions, new, generation, current_time):
    """Breaks CC-017: moves the time of a condition whose status stays; KRC-001 must catch it."""
    return [
        {**item, "lastTransitionTime": instants.render(current_time)} if item["type"] == new.type else item
        for item in put(conditions, new, generation, current_time)
    ]


@wrong((entries, "_reset"))
def resets_entries_with_their_old_time(reset, entry, current_time):
    """Breaks AC-345: an entry that goes back to Pending keeps its time; KRC-004 must catch it."""
    return {**reset(entry, current_time), "lastTransitionTime": entry["lastTransitionTime"]}
