"""Finds faults of a check controller or a control plane by stories that are drawn, and by what interrupts it.

A story is a list of acts (`story`). It is run once as it is, and then with perturbations where the program
wrote something (`exploration`). What is not allowed is a finding: made shorter (`shrinking`), repeated, and
written into a file that can be run again (`findings`). `check_controllers` and `control_planes` have their
acts, a model that says after each what is allowed, the drawing from a seed, and the perturbations.
"""
