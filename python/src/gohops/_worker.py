"""The worker process and the pipes to it."""

from __future__ import annotations

import atexit
import json
import os
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections import deque
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import _edges
from ._binary import find_binary
from ._errors import KINDS, Error, RequestError, WorkerDied
from ._graph import Graph

PROTOCOL = 1

# Seconds that a worker has to end by itself when it is closed.
GRACE = 10


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

    def __init__(self, threads: int = 0, directory: Optional[str] = None, binary: Optional[str] = None):
        command = [binary or find_binary(), "worker", "--threads", str(int(threads))]
        if directory is not None:
            command += ["--directory", os.fspath(directory)]
        self._lock = threading.Lock()
        self._dropped: deque[int] = deque()  # graphs that nobody uses any more
        self._buffer = b""
        self._last = 0  # id of a request
        self._owner = os.getpid()
        self._death: Optional[str] = None
        self.directory = ""
        self._stderr = tempfile.TemporaryFile()
        # In a session of its own, so that Ctrl-C in a terminal does not reach it.
        self._process = subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, start_new_session=True
        )
        _workers.add(self)
        greeting = self._receive_line()
        if greeting.get("protocol") != PROTOCOL:
            self._kill("it speaks another protocol")
            raise Error(f"{command[0]} is {greeting.get('version')}, which speaks version {greeting.get('protocol')} "
                        f"of the protocol; this package needs {PROTOCOL}")
        self.version: str = greeting["version"]
        self.directory = greeting["directory"]

    # Graphs

    def open(
        self,
        path: Union[str, os.PathLike],
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
        params = {} if columns is None else {"columns": [str(c) for c in columns]}
        return self._graph(
            "open", path=os.path.abspath(os.fspath(path)), directed=directed, weighted=weighted, ids=ids, format=format, **params
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
        return self._from_pairs(*_edges.pairs(edges, targets), weights, directed, vertices, rows=False)

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
        self._check()
        with self._lock:
            while self._dropped:
                try:
                    self._ask({"op": "close", "graph": self._dropped.popleft()})
                except RequestError:
                    pass  # closed already
            return self._ask({"op": op, **params})

    def array(self, name: str) -> np.ndarray:
        """Map a file that an answer names. The memory is this array's alone."""
        path = os.path.join(self.directory, name)
        mapped = np.load(path, mmap_mode="r+")
        os.unlink(path)
        return np.asarray(mapped)

    def _check(self) -> None:
        if self._owner != os.getpid():
            raise Error(f"the graph belongs to process {self._owner}; open it again in this one, {os.getpid()}")
        if self._death is not None:
            raise WorkerDied(self._death)

    def _ask(self, request: dict) -> dict:
        if self._death is not None:
            raise WorkerDied(self._death)
        self._last += 1
        try:
            self._send({"id": self._last, **request})
        except BaseException:
            self._kill("a request was not sent to its end")
            raise
        try:
            reply = self._receive(self._last)
        except KeyboardInterrupt:
            try:
                self._send({"op": "cancel"})
                self._discard(self._receive(self._last))
            except BaseException:
                self._kill("it was interrupted twice")
            raise
        if "error" in reply:
            raise KINDS.get(reply.get("kind", ""), Error)(reply["error"])
        return reply["ok"]

    def _send(self, request: dict) -> None:
        line = memoryview(json.dumps(request).encode() + b"\n")
        try:
            while line:
                line = line[self._process.stdin.write(line):]
        except (BrokenPipeError, ValueError):
            self._died()

    def _discard(self, reply: dict) -> None:
        """Delete the files of an answer that came before it could be cancelled."""
        for value in reply.get("ok", {}).values():
            if isinstance(value, str) and value.endswith(".npy"):
                os.unlink(os.path.join(self.directory, value))

    def _receive(self, number: int) -> dict:
        while True:
            reply = self._receive_line()
            if reply.get("id") == number:
                return reply

    def _receive_line(self) -> dict:
        while b"\n" not in self._buffer:
            try:
                more = self._process.stdout.read(1 << 16)
            except ValueError:
                more = b""  # closed by another thread
            if not more:
                self._died()
            self._buffer += more
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    # The end

    def _died(self) -> None:
        """Note that the process has ended, and raise that."""
        self._kill("")
        raise WorkerDied(self._death)

    def _kill(self, why: str) -> None:
        """End the process, if it is there, and remove what it leaves behind."""
        if self._death is None:
            try:
                status: Any = self._process.wait(timeout=0 if why else GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                status = self._process.wait()
            self._stderr.seek(0)
            said = self._stderr.read().decode(errors="replace").strip()
            said = said.splitlines()[-1] if said else why
            self._death = f"the worker has ended with status {status}" + (f": {said}" if said else "")
        self._release()
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)

    def _release(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout, self._stderr):
            pipe.close()

    def close(self) -> None:
        """End the worker. Its graphs are closed; arrays stay."""
        if self._owner != os.getpid() or self._death is not None:
            return
        with self._lock:
            self._process.stdin.close()
            try:
                self._process.wait(GRACE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._kill("it was closed")
            self._death = "the worker was closed"

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _forget(self) -> None:
        """Let go of the pipes of the parent, in a child of fork."""
        self._process.returncode = 0  # it is not a child of this process
        self._release()


_workers: "weakref.WeakSet[Worker]" = weakref.WeakSet()
_default: Optional[Worker] = None
_default_lock = threading.Lock()


def default_worker() -> Worker:
    """Return the worker of this process, which starts when it is first needed."""
    global _default
    with _default_lock:
        if _default is None or _default._owner != os.getpid() or _default._death is not None:
            _default = Worker()
        return _default


def _after_fork() -> None:
    global _default, _default_lock
    _default, _default_lock = None, threading.Lock()
    for worker in list(_workers):
        worker._forget()
    _workers.clear()


@atexit.register
def _at_exit() -> None:
    for worker in list(_workers):
        worker.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
