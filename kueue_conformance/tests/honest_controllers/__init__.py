"""Check controllers written from the guide alone, in several languages: right ones of differing design,
and wrong ones that each make one honest mistake.
"""
