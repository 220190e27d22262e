"""Running `patter` as a person or a script would: with pipes, reading lines as they come."""
import json
import os
import re
import signal
import subprocess
import time

from lab.expect import Failure, expect, expect_equal
from lab.transcript import ERROR, IN, NOTE, OUT, Transcript

PATIENCE = 10.0
"""Seconds that are waited for what has no time of its own, and beyond a time that is exceeded, so
that the failure can say how long it took."""

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]")
_CRASH = re.compile("Fatal error|Stack dump|backtrace", re.IGNORECASE)
_CODES = {0, 2, 3, 4, 5, 6, 7, 8, 130, 143}


class Run:
    """One process of the command on a host."""

    def __init__(self, host, command, arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                 prefix=()):
        self.host = host
        self.arguments = list(arguments)
        self.transcript = Transcript()
        self.killed = False
        # Whether it was started without standard input or output, or with another file that it
        # cannot write to, which ends with 1.
        self.lacks_streams = False
        # Where this process is killed, so is the child.
        line = ["setpriv", "--pdeathsig", "KILL", *prefix, command, *self.arguments]
        self.started = time.monotonic()
        with host.namespace.entered():
            self.process = subprocess.Popen(
                line, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, env=host.environment,
                cwd=host.directory)
        if self.process.stdout:
            self.transcript.follow(OUT, self.process.stdout)
        self.transcript.follow(ERROR, self.process.stderr)

    @property
    def pid(self):
        return self.process.pid

    def __str__(self):
        return f"patter {' '.join(self.arguments)} (on {self.host.name})"

    # What is done with it

    def type(self, *lines):
        """Writes lines to standard input."""
        for line in lines:
            self.transcript.note(IN, line)
        try:
            self.process.stdin.write("".join(line + "\n" for line in lines).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failure(f"{self} reads no more") from None

    def end_input(self):
        """Returns when that was."""
        self.transcript.note(NOTE, "end of input")
        self.process.stdin.close()
        return time.monotonic()

    def send(self, number):
        """Sends a signal, and returns when that was."""
        self.transcript.note(NOTE, signal.Signals(number).name)
        self.killed = self.killed or number == signal.SIGKILL
        self.process.send_signal(number)
        return time.monotonic()

    def kill(self):
        return self.send(signal.SIGKILL)

    # What is seen of it

    @property
    def position(self):
        """The place in the transcript up to which it has been seen."""
        return len(self.transcript.lines)

    def texts(self, stream=OUT, after=0):
        return self.transcript.texts(stream, after)

    def wait_until(self, condition, limit, what):
        """Waits until `condition()` is something, and returns it."""
        end = time.monotonic() + limit
        with self.transcript.changed:
            while True:
                result = condition()
                if result:
                    return result
                left = end - time.monotonic()
                if left <= 0:
                    raise Failure(f"{self}: {what} within {limit:.1f} s")
                self.transcript.changed.wait(min(left, 0.5))

    def sees(self, text, within=None, since=None, after=0, stream=OUT):
        """Waits for a line, and returns how many seconds after `since` (else the start) it came.

        `text` is the whole line or a compiled pattern that is searched for. With `within`, coming
        later is a failure.
        """
        since = self.started if since is None else since

        def find():
            for line in self.transcript.lines[after:]:
                if line.stream == stream and _matches(text, line.text):
                    return line
            return None

        limit = max(since - time.monotonic(), 0) + (within or 0) + PATIENCE
        took = self.wait_until(find, limit, f"no line {_shown(text)}").time - since
        if within is not None and took > within:
            raise Failure(f"{self}: {_shown(text)} took {took:.3f} s, allowed are {within} s")
        return took

    def does_not_see(self, text, after=0, stream=OUT):
        for line in self.texts(stream, after):
            if _matches(text, line):
                raise Failure(f"{self}: should not have printed {line!r}")

    def count(self, text, after=0, stream=OUT):
        return sum(_matches(text, line) for line in self.texts(stream, after))

    def events(self, kind=None, after=0):
        """The objects that were printed, with `--json`."""
        events = []
        for text in self.texts(OUT, after):
            try:
                event = json.loads(text)
            except ValueError as error:
                raise Failure(f"{self}: {text!r} is no JSON: {error}") from None
            expect(isinstance(event, dict) and event.get("v") == 1 and "type" in event,
                   f"{self}: {text!r} lacks v or type")
            events.append(event)
        return [event for event in events if kind in (None, event["type"])]

    def ends(self, code, within=PATIENCE, since=None):
        """Waits for its end, and returns how many seconds after `since` (else now) that was."""
        since = time.monotonic() if since is None else since
        try:
            result = self.process.wait(max(0.001, since + within + PATIENCE - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Failure(f"{self}: does not end within {within} s") from None
        took = time.monotonic() - since
        self.wait_until(lambda: self.transcript.is_complete, PATIENCE, "its output does not end")
        expect_equal(result, code, f"exit code of {self}")
        expect(took <= within, f"{self}: its end took {took:.3f} s, allowed are {within} s")
        return took

    def says_why(self, pattern, lines=1):
        """Checks that standard error tells a person in so many lines what is wrong."""
        texts = self.texts(ERROR)
        expect(len(texts) <= lines and any(re.search(pattern, text) for text in texts),
               f"{self}: wanted at most {lines} line(s) with {pattern!r}, got {texts!r}")

    # The end

    def close(self):
        """Ends the process where it still runs."""
        if self.process.poll() is None:
            self.killed = True
            self.process.kill()
        self.process.wait()
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass

    def check_manners(self):
        """What holds for every run: no crash, no stack trace, nothing that a terminal obeys."""
        code = self.process.returncode
        expect(code in _CODES or self.killed and code == -signal.SIGKILL
               or self.lacks_streams and code == 1,
               f"{self}: ended with {code}")
        for stream, raw in self.transcript.raw.items():
            text = raw.decode("utf-8", "replace")
            found = _CRASH.search(text) if stream == ERROR else None
            expect(not found, f"{self}: standard error has {found and found.group()!r}")
            found = _CONTROL.search(text)
            expect(not found, f"{self}: wrote the control character {found and found.group()!r}")

    # What the system says of it

    def processor_ticks(self):
        with open(f"/proc/{self.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def resident_bytes(self):
        with open(f"/proc/{self.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Person(Run):
    """Somebody in `patter chat`, in line mode."""

    def __init__(self, host, command, name, *options, **streams):
        super().__init__(host, command, ["chat", "--name", name, *options], **streams)
        self.name = name

    def meets(self, *others, within=None, since=None, after=0):
        """Waits until all the others have joined; returns the time that the last one took."""
        return max(
            self.sees(f"* {_name(other)} has joined", within, since, after) for other in others)

    def misses(self, other, within, since, after=0, reason=""):
        """Waits until the other has left, and returns how long after `since` that was."""
        return self.sees(f"* {_name(other)} has left{reason}", within, since, after)

    def hears(self, other, *texts, within=None, since=None):
        """Waits until each of the texts has come from the other."""
        return max(
            (self.sees(f"{_name(other)}: {text}", within, since) for text in texts), default=0)

    def heard_from(self, other):
        """What the other said, in the order in which it came."""
        start = f"{_name(other)}: "
        return [line[len(start):] for line in self.texts() if line.startswith(start)]


def _name(other):
    return other if isinstance(other, str) else other.name


def _matches(text, line):
    return line == text if isinstance(text, str) else text.search(line) is not None


def _shown(text):
    return repr(text if isinstance(text, str) else text.pattern)
