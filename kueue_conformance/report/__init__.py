"""The report of a run: collected by the leading process from final results only, as a frozen value; each
format has a module.
"""
