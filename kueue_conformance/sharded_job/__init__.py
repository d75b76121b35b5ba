"""A run divided among the Pods of a Kubernetes Job: its manifests, and the ConfigMaps of its reports."""
