"""What every folder of fakecluster may use: time, files, numbers, caches, limits of work; no Kubernetes."""
