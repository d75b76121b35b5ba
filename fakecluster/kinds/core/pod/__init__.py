"""Pods: their row, what the server makes of a new one, defaults, rules, columns, and what is asked of them
(FK-486, FK-487, FK-496).
"""
