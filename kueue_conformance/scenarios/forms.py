"""What a scenario asks for that the subject file of a controller can fix otherwise; a scenario names it in
`needs`.
"""

CHECK_NAMES = "check names"
"""AdmissionChecks of the subject under names that the harness chooses, or several of them."""
POD_SETS = "pod sets"
"""Workloads with pod sets that the harness chooses."""
NO_REQUESTS = "pods without requests"
"""Workloads whose pods request no resource."""
FORMS = frozenset({CHECK_NAMES, POD_SETS, NO_REQUESTS})
