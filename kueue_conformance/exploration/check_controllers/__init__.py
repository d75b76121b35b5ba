"""Stories of a check controller: acts of users, Kueue and the outside system on Workloads, a model of the
states that its entry may have, and what interrupts it.
"""
