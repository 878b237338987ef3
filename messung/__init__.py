"""Measurements of frugal-memory on public data, beside what a user would pick instead. Not shipped."""
