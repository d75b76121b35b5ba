"""Drawn stories of jobs on a job integration, beside a Kueue that works."""
