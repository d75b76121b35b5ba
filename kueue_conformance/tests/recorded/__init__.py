"""What real programs were seen to do and to answer (design.md §8): recorded exchanges, transcripts and
stories, and what is made of them.
"""
