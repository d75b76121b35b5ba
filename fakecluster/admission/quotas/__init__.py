"""What a namespace may use: the bounds of LimitRanges and the
sums of ResourceQuotas, as admission looks at them (FK-504).
"""
