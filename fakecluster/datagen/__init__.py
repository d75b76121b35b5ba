"""Development-time scripts that write the data files of `api.builtins` from Kubernetes' Go types; not part of the wheel."""
