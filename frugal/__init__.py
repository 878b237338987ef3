"""The engine of frugal-memory: it loads modes, keeps their stores and serves their tools."""

__version__ = "1.0.0.dev0"
