"""The process of a worker, and the lines to it and from it."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import subprocess
import tempfile
import threading
from typing import Any, List, Optional

# Seconds that a process has to end by itself when it is closed.
GRACE = 10

CANCEL = b'{"op": "cancel"}\n'


class Exchange:
    """A line to the worker, and what it answers."""

    def __init__(self, line: bytes):
        self.line = line
        self.reply: Optional[dict] = None
        self.abandoned = False  # nobody waits for the reply
        self.bell = threading.Lock()  # released after the reply is set
        self.bell.acquire()


class Channel:
    """A process that answers every line by one line, in their order.

    A thread of its own writes and reads. The main thread could not: a signal raises
    KeyboardInterrupt between any two steps of it, when part of a line is written or bytes
    that were read are not stored yet, and the lines after it would be misunderstood.
    """

    def __init__(self, command: List[str]):
        self.owner = os.getpid()
        self.death: Optional[str] = None  # why there is no answer any more
        self.directory = ""  # of the files that replies name; it ends with the process
        self._waiting: "queue.SimpleQueue[Optional[Exchange]]" = queue.SimpleQueue()
        self._turn = threading.Lock()  # guards what an exchange and _current are set to
        self._current: Optional[Exchange] = None  # sent to its end, and not answered yet
        self._read = b""  # after the last line
        self._stderr = tempfile.TemporaryFile()
        # In a session of its own, so that Ctrl-C in a terminal does not reach it. Files without
        # buffers have no locks that a fork could leave taken.
        self.process = subprocess.Popen(
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._stderr, start_new_session=True
        )
        self._thread = threading.Thread(target=self._converse, name="gohops", daemon=True)
        self._thread.start()

    def ask(self, line: bytes) -> dict:
        """Send a line and wait for its answer, which a signal may end."""
        exchange = Exchange(line)
        try:
            self._waiting.put(exchange)
            # The thread sets death before it answers whatever waits. So an exchange that it
            # does not see comes after that.
            while exchange.reply is None:
                if self.death is not None:
                    return self._dead()
                exchange.bell.acquire()
            return exchange.reply
        except BaseException:
            self._abandon(exchange)
            raise

    def post(self, line: bytes) -> None:
        """Send a line whose answer does not matter. The garbage collector may call this."""
        self._waiting.put(Exchange(line))

    def stop(self) -> None:
        """Let the process end after the lines that wait."""
        self._waiting.put(None)

    def close(self) -> None:
        """End the process: by itself, or after a grace by force."""
        self.stop()
        self._thread.join(GRACE)
        if self._thread.is_alive():
            self.process.kill()
            self._thread.join()

    def forget(self) -> None:
        """Let go of the pipes of the parent, in a child of fork."""
        self.process.returncode = 0  # it is not a child of this process
        self._release()

    def _abandon(self, exchange: Exchange) -> None:
        with self._turn:
            exchange.abandoned = True
            if exchange.reply is not None:
                self._discard(exchange.reply)
            elif exchange is self._current:
                self._cancel()

    def _cancel(self) -> None:
        try:
            self.process.stdin.write(CANCEL)
        except OSError:
            pass  # the process has ended, as the thread will see

    def _discard(self, reply: dict) -> None:
        """Release what an answer stands for."""
        answer = reply.get("ok") or {}
        for value in answer.values():
            if isinstance(value, str) and value.endswith(".npy"):
                with contextlib.suppress(FileNotFoundError):  # it went with the process
                    os.unlink(os.path.join(self.directory, value))
        if "graph" in answer:
            self.post(json.dumps({"op": "close", "graph": answer["graph"]}).encode() + b"\n")

    # In the thread

    def _converse(self) -> None:
        exchange: Optional[Exchange] = None
        why = "it was closed"
        try:
            for exchange in iter(self._waiting.get, None):
                if not exchange.abandoned:
                    self._exchange(exchange)
            exchange = None
        except (OSError, EOFError):
            why = ""
        except Exception as error:
            why = f"it wrote what is no answer: {error}"
            self.process.kill()
        self._end(why)
        while True:
            if exchange is not None:
                self._answer(exchange, self._dead())
            try:
                exchange = self._waiting.get_nowait()
            except queue.Empty:
                break

    def _exchange(self, exchange: Exchange) -> None:
        line = memoryview(exchange.line)
        while line:
            line = line[self.process.stdin.write(line):]
        with self._turn:
            self._current = exchange
            if exchange.abandoned:
                self._cancel()
        self._answer(exchange, self._receive())

    def _answer(self, exchange: Exchange, reply: dict) -> None:
        with self._turn:
            self._current = None
            exchange.reply = reply
            if exchange.abandoned:
                self._discard(reply)
        exchange.bell.release()

    def _receive(self) -> dict:
        parts = [self._read]
        while b"\n" not in parts[-1]:
            more = self.process.stdout.read(1 << 16)
            if not more:
                raise EOFError
            parts.append(more)
        line, self._read = b"".join(parts).split(b"\n", 1)
        reply = json.loads(line)
        if not isinstance(reply, dict):
            raise ValueError(line[:80])
        return reply

    def _dead(self) -> dict:
        return {"error": self.death, "kind": "died"}

    def _end(self, why: str) -> None:
        """Wait until the process has ended, and remove what it leaves behind."""
        with self._turn:
            self._current = None  # there is nothing to cancel, and no pipe to say so
        self.process.stdin.close()
        try:
            status: Any = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip()
        said = said.splitlines()[-1] if said else why
        self._release()
        if self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)
        closed = why == "it was closed"
        self.death = "the worker was closed" if closed else f"the worker has ended with status {status}" + (f": {said}" if said else "")

    def _release(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self._stderr):
            pipe.close()
