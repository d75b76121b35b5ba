"""What a scenario about autoscalers needs: Nodes, pods, node groups, requests, and the autoscaler."""
