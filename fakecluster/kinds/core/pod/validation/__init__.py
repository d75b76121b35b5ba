"""What a Pod, or a template of pods, must satisfy: one module for each part of it (FK-486, FK-504)."""
