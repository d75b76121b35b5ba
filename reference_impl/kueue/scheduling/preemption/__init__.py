"""Preemption: the Workloads that have to give quota back so that another one fits (scheduling §7).

Pure functions over the quota tree: `policies`, `candidates`, `order`, `search`; `classical` puts them
together and `wording` says what is told to victims.
"""
