"""Draws stories of a control plane, one module for each kind of object."""
