"""What is read of pods and nodes by Kueue and by an autoscaler alike: amounts, requests, selectors, tolerations."""
