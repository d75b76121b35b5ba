"""Priority and fairness in the extension server itself, by the FlowSchemas of the cluster (VIS-601…613)."""
