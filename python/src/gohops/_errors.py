"""The exceptions of gohops."""

from __future__ import annotations


class Error(Exception):
    """What hops could not do, in its words."""


class RequestError(Error, ValueError):
    """An argument makes no sense."""


class VertexError(Error, LookupError):
    """There is no such vertex."""


class FileMissing(Error, FileNotFoundError):
    """There is no such file."""


class Cancelled(Error):
    """The request was ended before its answer was found."""


class WorkerDied(Error):
    """The worker process has ended, and the graphs that it held are gone."""


KINDS: dict[str, type[Error]] = {
    "request": RequestError,
    "vertex": VertexError,
    "file": FileMissing,
    "cancelled": Cancelled,
    "died": WorkerDied,  # says the channel, not the worker
}
