"""The Workload state machine as pure functions, and the controller that applies what they decide."""
