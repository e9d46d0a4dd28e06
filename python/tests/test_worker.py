"""The worker process: its start, its end, and who may use it."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import gohops
from gohops import _worker

PAIRS = [(0, 1), (1, 2), (2, 3), (4, 5)]

# Seconds until a test gives up. Nothing that is right takes nearly so long.
DEADLINE = 120


def wait_until(true):
    end = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def script(folder, text):
    path = folder / "hops"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return str(path)


def test_graphs_close():
    with gohops.Worker(threads=1) as worker:
        with worker.from_edges(PAIRS) as g:
            assert g.path(0, 3) == [0, 1, 2, 3]
        with pytest.raises(gohops.RequestError, match="no graph 1 is open"):
            g.bfs(0)
        g.close()
        levels = worker.from_edges(PAIRS).bfs(0).levels  # that graph is dropped
        with pytest.raises(gohops.RequestError, match="no graph 2 is open"):
            worker.request("components", graph=2)
        directory = worker.directory
    assert levels.tolist() == [0, 1, 2, 3, -1, -1]
    assert not os.path.exists(directory)
    with pytest.raises(gohops.WorkerDied, match="closed"):
        worker.from_edges(PAIRS)
    worker.close()


def test_death_is_noticed():
    worker = gohops.Worker()
    g = worker.from_edges(PAIRS)
    os.kill(worker._channel.process.pid, signal.SIGKILL)
    with pytest.raises(gohops.WorkerDied, match="status -9"):
        g.bfs(0)
    assert not os.path.exists(worker.directory)
    with pytest.raises(gohops.WorkerDied, match="status -9"):
        g.bfs(0)
    worker.close()


def test_another_default_after_death():
    first = _worker.default_worker()
    g = gohops.from_edges(PAIRS)
    os.kill(first._channel.process.pid, signal.SIGKILL)
    with pytest.raises(gohops.WorkerDied):
        g.components()
    assert gohops.from_edges(PAIRS).components().count == 2
    assert _worker.default_worker() is not first


def test_start_that_fails(tmp_path):
    with pytest.raises(gohops.WorkerDied, match="status 3: no such luck"):
        gohops.Worker(binary=script(tmp_path, "echo no such luck >&2; exit 3\n"))
    with pytest.raises(gohops.Error, match="version 99 of the protocol"):
        gohops.Worker(binary=script(tmp_path, """echo '{"protocol": 99, "version": "9"}'; exec sleep 60\n"""))
    with pytest.raises(gohops.WorkerDied, match="absent"):
        gohops.Worker(directory=tmp_path / "absent")


def test_binary(tmp_path, monkeypatch):
    monkeypatch.setenv("GOHOPS_BINARY", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="GOHOPS_BINARY"):
        gohops.find_binary()
    monkeypatch.delenv("GOHOPS_BINARY")
    monkeypatch.setattr(gohops._binary, "__file__", str(tmp_path / "_binary.py"))
    monkeypatch.setenv("PATH", str(tmp_path / "absent"))
    with pytest.raises(FileNotFoundError, match="no program hops"):
        gohops.find_binary()
    in_path = script(tmp_path, "exit 0\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gohops.find_binary() == in_path
    (tmp_path / "bin").mkdir()
    carried = script(tmp_path / "bin", "exit 0\n")
    assert gohops.find_binary() == carried


def test_threads_share_a_worker():
    graphs = [gohops.from_edges([(i, i + 1) for i in range(length)]) for length in range(2, 10)]
    wrong = []

    def ask(g):
        for _ in range(20):
            if g.bfs(0).levels.tolist() != list(range(g.num_vertices)):
                wrong.append(g)

    threads = [threading.Thread(target=ask, args=(g,)) for g in graphs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_fork():
    g = gohops.from_edges(PAIRS)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            g.bfs(0)
        except gohops.Error as error:
            if "belongs to process" in str(error) and gohops.from_edges(PAIRS).path(0, 3) == [0, 1, 2, 3]:
                code = 0
        finally:
            _worker._at_exit()
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert g.path(0, 3) == [0, 1, 2, 3]


# A program sends SIGINT once it has read a byte of a request. It gets the rest of that line
# and one that cancels it, and what it answers all the same is released.
FAKE = f"#!{sys.executable}" + """
import json, os, signal, sys
folder, seen = sys.argv[0] + ".arrays", open(sys.argv[0] + ".seen", "w")
os.mkdir(folder)
print(json.dumps({"protocol": 1, "version": "9", "directory": folder}), flush=True)
first = os.read(0, 1).decode()
os.kill(os.getppid(), signal.SIGINT)
requests = open(0)
seen.write(first + requests.readline() + requests.readline())
open(folder + "/1.npy", "w").close()
answer = {"levels": "1.npy", "graph": 7}
while True:
    print(json.dumps({"ok": answer}), flush=True)
    line = requests.readline()
    if not line:
        break
    seen.write(line)
    answer = {"next": 1}
"""


@pytest.mark.parametrize("size", [0, 1 << 18], ids=["after a short line", "within a long line"])
def test_interrupt(tmp_path, size):
    program = tmp_path / "hops"
    program.write_text(FAKE)
    program.chmod(0o755)
    with gohops.Worker(binary=program) as worker:
        with pytest.raises(KeyboardInterrupt):
            worker.request("bfs", names=["x" * size])
        assert worker.request("components") == {"next": 1}
        assert os.listdir(worker.directory) == []
    first, second, *others = [json.loads(line) for line in (tmp_path / "hops.seen").read_text().splitlines()]
    assert (first, second) == ({"op": "bfs", "names": ["x" * size]}, {"op": "cancel"})
    assert sorted(request["op"] for request in others) == ["close", "components"]


# Signals at any time end calls, and nothing else.
def test_many_interrupts():
    code = """
import os, random, signal, gohops
def interrupt(*_):
    raise KeyboardInterrupt
worker = gohops.Worker(threads=1)
g = worker.from_edges([(i, i + 1) for i in range(300)])
want, draw, interrupted = list(range(301)), random.Random(1), 0
signal.signal(signal.SIGALRM, interrupt)
while interrupted < 300:
    try:
        signal.setitimer(signal.ITIMER_REAL, draw.uniform(1e-5, 2e-3))
        while True:
            assert g.bfs(0).levels.tolist() == want
            assert len(g.closeness(want).vertices) == 301
    except KeyboardInterrupt:
        interrupted += 1
signal.setitimer(signal.ITIMER_REAL, 0)
assert g.bfs(0).levels.tolist() == want
g.close()
print("well")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=DEADLINE)
    assert run.stdout == "well\n", run.stderr


# A worker ends with its process, however that ends, even if a child of it has the pipe.
@pytest.mark.parametrize("fork", [False, True])
def test_end_with_the_parent(fork):
    code = (
        "import gohops, os, sys, time\n"
        "worker = gohops.Worker()\n"
        f"child = {'os.fork()' if fork else '-1'}\n"
        "if child: print(worker._channel.process.pid, worker.directory, child, flush=True)\n"
        "time.sleep(1000)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    pid, directory, child = parent.stdout.readline().split()
    assert os.path.isdir(directory)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    try:
        wait_until(lambda: not os.path.exists(directory))
        wait_until(lambda: not running(int(pid)))
    finally:
        if fork:
            os.kill(int(child), signal.SIGKILL)


def running(pid):
    """Tell whether a process is there and not a zombie, whose parent may not wait for it."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_normal_end_leaves_nothing():
    code = "import gohops; g = gohops.from_edges([(0, 1)]); a = g.bfs(0).levels; print(g._worker.directory)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""
    assert not os.path.exists(run.stdout.strip())
