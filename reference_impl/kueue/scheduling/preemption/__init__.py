"""Preemption: the Workloads that have to give quota back so that another one fits (scheduling §7).

Pure functions over the quota tree: `classical` finds `candidates` and searches (`search`), `fair` searches by
shares (`fair_search`); `targets` is what the scheduler sees of both, and `wording` has the texts for victims.
"""
