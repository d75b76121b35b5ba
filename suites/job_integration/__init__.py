"""Scenarios about job integrations: does a controller of jobs play by Kueue's rules?"""
