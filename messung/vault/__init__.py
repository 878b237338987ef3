"""Cards and queries for the vault's bench: 150 own cards (English, German, Chinese), 120 queries, and cards of XQuAD.

Queries at odd places of `queries.json` (first, third, ...) are for tuning, those at even places for reporting.
"""
