"""What there is to judge by: the requirements, the contract of check controllers, every scenario, and where each was last seen."""
