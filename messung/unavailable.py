"""What a measurement says when something it needs is not there."""


class NotAvailable(Exception):
    """A system or a data set cannot be used here; the text says why and what would help."""
