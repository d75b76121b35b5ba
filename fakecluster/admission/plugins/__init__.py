"""The admission plugins that kube-apiserver enables by default:
a module each, and `table` in their order (FK-300).
"""
