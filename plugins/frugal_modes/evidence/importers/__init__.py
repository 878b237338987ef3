"""Importers: one module a format, each yields the same records; what is read is data and names nothing to open."""
