"""PRC: programs that make ProvisioningRequests for Workloads, with the autoscaler played by the scenario."""
