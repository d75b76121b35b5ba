"""Development-time scripts that write the data files of
`gotypes` from Kubernetes' Go types; not part of the wheel.
"""
