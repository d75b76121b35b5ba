"""Reading of pods and nodes, shared by Kueue and the autoscaler:
amounts, requests, selectors, tolerations.
"""
