"""What newcomers met in their first hour: each thing that
went wrong for one of them is tried here as they tried it.
"""
