"""The worker process and the pipes to it."""

from __future__ import annotations

import atexit
import os
import tempfile
import threading
import weakref
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _arguments, _edges
from ._binary import find_binary
from ._channel import Channel
from ._errors import KINDS, Error, RequestError, WorkerDied
from ._graph import Graph

PROTOCOL = 1

# As the flag of hops worker has it.
MAX_THREADS = 4096


class Worker:
    """A process that holds graphs and answers questions about them.

    ``gohops.open`` and ``gohops.from_edges`` share one. Another one is of use with another
    number of threads, or for graphs that should go all at once:

    >>> with gohops.Worker(threads=1) as worker:
    ...     worker.from_edges([(0, 1)]).path(1, 0)
    [1, 0]

    Threads may share a worker, which answers one question at a time, on all cores. A child
    of ``os.fork`` cannot use the worker of its parent.
    """

    def __init__(self, threads: int = 0, directory: Any = None, binary: Any = None):
        threads = _arguments.integer(threads, "threads", 0, MAX_THREADS)
        command = [find_binary() if binary is None else os.fspath(binary), "worker", "--threads", str(threads)]
        if directory is not None:
            directory = os.path.abspath(os.fsdecode(directory))
            command += ["--directory", directory]
        self._channel = Channel(command)
        _channels.add(self._channel)
        self._dropping = weakref.finalize(self, self._channel.stop)
        self._dropping.atexit = False
        greeting = self._answer(b"")  # the worker speaks first
        if greeting.get("protocol") != PROTOCOL:
            self._channel.process.kill()
            raise Error(f"{command[0]} is {greeting.get('version')}, which speaks version {greeting.get('protocol')} "
                        f"of the protocol; this package needs {PROTOCOL}")
        self.version: str = greeting["version"]
        # Text of JSON may not be able to say where the folder is, but its own name is plain.
        where = os.path.dirname(greeting["directory"]) if directory is None else directory
        self.directory = self._channel.directory = os.path.join(where, os.path.basename(greeting["directory"]))

    # Graphs

    def open(
        self,
        path: Union[str, bytes, os.PathLike],
        *,
        directed: bool = False,
        weighted: bool = False,
        ids: str = "auto",
        columns: Optional[Sequence[Union[str, int]]] = None,
        format: str = "",  # noqa: A002 (as the flag of hops)
    ) -> Graph:
        """Open a graph file of hops, or read any other file that hops reads.

        directed: edges lead from the first end to the second only, if the format does not say.
        weighted: keep the weights of the edges, and refuse a file without.
        ids: whether names in an edge list are "int" or "string"; "auto" finds out.
        columns: those of the two ends in an edge list, and perhaps that of the weight.
        format: one of the formats of hops; found out if it is not given.
        """
        return self._graph(
            "open",
            **_arguments.file(path),
            directed=_arguments.flag(directed, "directed"),
            weighted=_arguments.flag(weighted, "weighted"),
            ids=_arguments.text(ids, "ids"),
            columns=_arguments.columns(columns),
            format=_arguments.text(format, "format"),
        )

    def from_edges(
        self,
        edges: Any,
        targets: Any = None,
        *,
        weights: Any = None,
        directed: bool = False,
        vertices: Optional[int] = None,
    ) -> Graph:
        """Make a graph of arrays of vertices, which are numbers from 0 on.

        edges: an array of shape (m, 2) or (2, m), where (2, 2) is two rows of an edge each;
            or the array of the m sources.
        targets: then, the array of the m targets.
        weights: m numbers that are finite and not negative; they are rounded to 32 bits.
        directed: edges lead from the source to the target only.
        vertices: how many there are; one more than the largest in an edge by default.
        """
        return self._from_pairs(*_edges.pairs(edges, targets), weights, _arguments.flag(directed, "directed"), vertices, rows=False)

    def _from_pairs(self, sources, targets, weights, directed, vertices, rows) -> Graph:
        count = _edges.count(sources, targets, vertices)
        self._check()
        file, path = tempfile.mkstemp(".npy", "in-", self.directory)
        try:
            with os.fdopen(file, "wb", buffering=0) as f:
                _edges.write(f, sources, targets, weights)
            return self._graph("edges", path=os.path.basename(path), count=count, directed=directed,
                               weighted=weights is not None, rows=rows)
        finally:
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass  # the worker has ended, and its folder is gone

    def _graph(self, op: str, **params) -> Graph:
        return Graph(self, self.request(op, **params))

    # Requests

    def request(self, op: str, **params) -> dict:
        """Send a request of the protocol of ``hops worker`` and return its answer."""
        if _arguments.text(op, "op") == "cancel":
            raise RequestError("cancel has no answer: what ends a request is an exception in its thread, such as KeyboardInterrupt")
        line = _arguments.line({**params, "op": op})
        self._check()
        return self._answer(line)

    def _answer(self, line: bytes) -> dict:
        reply = self._channel.ask(line)
        if "error" in reply:
            raise KINDS.get(reply.get("kind", ""), Error)(reply["error"])
        return reply.get("ok", reply)

    def array(self, name: str) -> np.ndarray:
        """Map a file that an answer names. The memory is this array's alone."""
        path = os.path.join(self.directory, name)
        mapped = np.load(path, mmap_mode="r+")
        os.unlink(path)
        return np.asarray(mapped)

    def _check(self) -> None:
        if self._channel.owner != os.getpid():
            raise Error(f"the graph belongs to process {self._channel.owner}; open it again in this one, {os.getpid()}")
        if self._channel.death is not None:
            raise WorkerDied(self._channel.death)

    # The end

    def _usable(self) -> bool:
        return self._channel.owner == os.getpid() and self._channel.process.poll() is None

    def close(self) -> None:
        """End the worker. Its graphs are closed; arrays stay."""
        if self._channel.owner == os.getpid():
            self._channel.close()

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_channels: "weakref.WeakSet[Channel]" = weakref.WeakSet()
_default: Optional[Worker] = None
_default_lock = threading.Lock()


def default_worker() -> Worker:
    """Return the worker of this process, which starts when it is first needed."""
    global _default
    with _default_lock:
        if _default is None or not _default._usable():
            _default = Worker()
        return _default


def _after_fork() -> None:
    global _default, _default_lock
    _default, _default_lock = None, threading.Lock()
    for channel in list(_channels):
        channel.forget()
    _channels.clear()


@atexit.register
def _at_exit() -> None:
    for channel in list(_channels):
        channel.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
