"""The built-in modes of frugal-memory; each is a plugin like any other."""
