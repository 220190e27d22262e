"""What a process read and wrote, with the times."""
import threading
import time
from typing import NamedTuple

IN, OUT, ERROR, NOTE = "<", ">", "!", "#"

_REPORTED = 100
"""How many lines of a long transcript are reported, of its beginning and of its end."""


class Line(NamedTuple):
    time: float
    stream: str
    text: str


class Transcript:
    """Grows while it is read: lines come from threads, and whoever waits for one is woken."""

    def __init__(self):
        self.lines = []
        self.raw = {OUT: bytearray(), ERROR: bytearray()}
        self.changed = threading.Condition()
        self._open = 0

    def note(self, stream, text):
        with self.changed:
            self.lines.append(Line(time.monotonic(), stream, text))
            self.changed.notify_all()

    def follow(self, stream, pipe):
        """Reads `pipe` to its end, in a thread."""
        self._open += 1
        threading.Thread(target=self._read, args=(stream, pipe), daemon=True).start()

    @property
    def is_complete(self):
        return self._open == 0

    def _read(self, stream, pipe):
        rest = b""
        with pipe:
            while True:
                chunk = pipe.read1(65_536)
                now = time.monotonic()
                *lines, rest = (rest + chunk).split(b"\n")
                if not chunk and rest:
                    lines, rest = [rest], b""
                with self.changed:
                    self.raw[stream] += chunk
                    self.lines += [
                        Line(now, stream, line.decode("utf-8", "backslashreplace"))
                        for line in lines]
                    if not chunk:
                        self._open -= 1
                    self.changed.notify_all()
                if not chunk:
                    return

    def texts(self, stream=OUT, after=0):
        return [line.text for line in self.lines[after:] if line.stream == stream]

    def report(self, start):
        with self.changed:
            lines = list(self.lines)
        shown = [f"    {line.time - start:8.3f} {line.stream} {line.text!r}" for line in lines]
        if len(shown) <= 2 * _REPORTED:
            return shown
        left_out = f"    ... {len(shown) - 2 * _REPORTED} lines ..."
        return [*shown[:_REPORTED], left_out, *shown[-_REPORTED:]]
