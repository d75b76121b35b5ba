"""Finds faults of a check controller by stories that are drawn, and by what interrupts it in them.

A story is a list of acts (`acts`); `model` says after each which states of a check are allowed, `drawing`
draws one from a seed. It is played once as it is (`playing`), and then with `perturbations` where the
controller wrote something. What is not allowed is a finding: made shorter (`shrinking`), repeated, and
written into a file that can be played again (`findings`).
"""
