"""What a scenario asks for that the subject file of a controller can fix otherwise; a scenario names it in
`needs`.
"""

CHECK_NAMES = "check names"
"""AdmissionChecks of the subject under names that the harness chooses, or several of them."""
FORMS = frozenset({CHECK_NAMES})
