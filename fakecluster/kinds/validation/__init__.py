"""What a built-in object must satisfy (FK-467, FK-469, FK-470, FK-477, FK-486, FK-504).

One module for each noun; a rule is a function of a value and its path that yields violations. Windows,
storage plug-ins and security profiles are not judged.
"""
