"""Evaluation: fixed recipes over generated corpora and over public conversations, told as tables."""
