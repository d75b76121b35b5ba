"""Stories of a control plane: acts of users, administrators and check controllers, a model of the states that
are allowed when everything is at rest, and what interrupts it.
"""
