"""The report of a run: collected on the controller from final reports only, a frozen value, written by one module a format."""
