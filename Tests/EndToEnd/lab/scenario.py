"""A scenario is a function that is given a lab, and builds in it what it needs."""
import shutil
import subprocess
import tempfile
import time
from typing import Callable, NamedTuple

from lab.expect import Failure
from lab.network import Host, Switch
from lab.people import Person, Run
from lab.wire import Forger, Tap

SCENARIOS = []


class Scenario(NamedTuple):
    name: str
    body: Callable
    alone: bool
    """Whether nothing else may run meanwhile, because it measures."""
    known: str | None
    """What is wrong with the command, where it is known to fail."""


def scenario(body=None, *, alone=False, known=None):
    """Makes a function a scenario; its name and first line of documentation describe it.

    One that is `known` to fail does not count as failed until it passes.
    """

    def register(body):
        SCENARIOS.append(Scenario(body.__name__, body, alone, known))
        return body

    return register if body is None else register(body)


class Options(NamedTuple):
    patter: str
    directory: str
    long: bool


class Lab:
    """Makes networks and people, and takes all of it away at the end."""

    def __init__(self, options):
        self.options = options
        self.started = time.monotonic()
        self.directory = tempfile.mkdtemp(dir=options.directory)
        self.notes = []
        self.runs = []
        self._closing = []
        self._switches = 0

    def note(self, words):
        """A figure for the report."""
        self.notes.append(words)

    # Networks

    def host(self, name):
        """A machine without any network but loopback."""
        return self._keep(Host(name, self.directory))

    def switch(self):
        self._switches += 1
        return self._keep(Switch(f"10.77.{self._switches}"))

    def lan(self, *names, **plugging):
        """A switch and hosts on it with `eth0`."""
        switch = self.switch()
        hosts = [self.host(name) for name in names]
        for host in hosts:
            host.address = switch.plug(host, **plugging)
        for host in hosts:
            host.settle()
        return switch, hosts

    # People and programs

    def chat(self, host, name, *options, **streams):
        return self._run(Person(host, self.options.patter, name, *options, **streams))

    def patter(self, host, *arguments, **streams):
        return self._run(Run(host, self.options.patter, arguments, **streams))

    def tap(self, host, interface="eth0", outgoing=False):
        return self._keep(Tap(host, interface, outgoing))

    def forger(self, host):
        return self._keep(Forger(host))

    def program(self, host, *command, stdin=b""):
        """Runs another program to its end and returns what it wrote."""
        with host.namespace.entered():
            done = subprocess.run(
                command, input=stdin, capture_output=True, env=host.environment, check=False,
                timeout=30)
        return done.stdout

    # The end

    def finish(self, checks):
        """Ends all that runs. Where `checks`, what holds for every run must hold for these."""
        for run in self.runs:
            run.close()
        if checks:
            for run in self.runs:
                run.wait_until(lambda run=run: run.transcript.is_complete, 10, "output goes on")
                run.check_manners()

    def close(self):
        for run in self.runs:
            run.close()
        for thing in reversed(self._closing):
            thing.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def transcripts(self):
        lines = []
        for run in self.runs:
            code = run.process.poll()
            lines.append(f"  {run}, {'still running' if code is None else f'ended with {code}'}:")
            lines += run.transcript.report(self.started)
        return lines

    def _keep(self, thing):
        self._closing.append(thing)
        return thing

    def _run(self, run):
        self.runs.append(run)
        return run


class Result(NamedTuple):
    scenario: Scenario
    seconds: float
    failure: str | None
    """All that is known of it; `None` where the scenario has passed."""
    notes: list

    @property
    def word(self):
        if self.scenario.known:
            return "known" if self.failure else "FAILED"
        return "FAILED" if self.failure else "ok"


def perform(scenario, options):
    """Runs one scenario."""
    lab = Lab(options)
    failure = None
    try:
        try:
            scenario.body(lab)
            lab.finish(checks=True)
        except (Failure, OSError, subprocess.SubprocessError, LookupError) as error:
            words = str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
            failure = "\n".join([f"  {words}", *lab.transcripts()])
    finally:
        lab.close()
    return Result(scenario, time.monotonic() - lab.started, failure, lab.notes)
