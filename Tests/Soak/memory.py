"""Resident memory of processes over time, out of /proc."""
import os
import pathlib
import statistics
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")
INTERVAL = 0.25

# What the second half of a run may bring: a twentieth, and as much as one window, which may be in
# use at one time and not at another. A leak of a byte a message would be hundreds of MiB in ten
# minutes.
SHARE = 1.05
SLACK = 4 << 20


def descendants(pid):
    """The process ids below one, itself not included."""
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in task.read_text().split():
                found += [int(child)] + descendants(int(child))
        except OSError:
            pass
    return found


class Watch:
    """Samples the programs below a process, each under the name that `name(words)` gives it."""

    def __init__(self, pid, name):
        self.pid = pid
        self.name = name
        self.samples = {}
        self.names = {}
        self.start = time.monotonic()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.loop, daemon=True)
        self.thread.start()

    def loop(self):
        while not self.over.wait(INTERVAL):
            for pid in [self.pid] + descendants(self.pid):
                self.sample(pid)

    def sample(self, pid):
        try:
            if pid not in self.names:
                words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
                # Between fork and exec a process still bears its parent's words.
                if time.monotonic() - self.start < 2 * INTERVAL:
                    return
                self.names[pid] = self.name(words)
            size = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE
        except (OSError, IndexError, ValueError):
            return
        if self.names[pid] and size:
            self.samples.setdefault(self.names[pid], []).append(size)

    def stop(self):
        self.over.set()
        self.thread.join()

    def findings(self, names):
        """Prints what each took, and returns which of `names` grew."""
        findings = []
        for name, sizes in sorted(self.samples.items()):
            quarter = len(sizes) // 4
            if quarter == 0:
                findings.append(f"{name} was there for {len(sizes)} samples only")
                continue
            second = statistics.median(sizes[quarter:2 * quarter])
            last = statistics.median(sizes[-quarter:])
            bound = second * SHARE + SLACK
            print(f"  {name:14} {second / 1024:9,.0f} KiB in the second quarter, "
                  f"{last / 1024:9,.0f} in the last, {max(sizes) / 1024:9,.0f} at most "
                  f"({len(sizes)} samples)")
            if name in names and last > bound:
                findings.append(f"{name} grew from {second / 1024:,.0f} to {last / 1024:,.0f} KiB")
        findings += [f"{name} was not seen" for name in names if name not in self.samples]
        return findings
