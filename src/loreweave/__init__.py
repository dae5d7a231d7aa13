"""A bitemporal knowledge engine over Markdown."""

__version__ = "0.1.0"
