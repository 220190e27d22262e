#!/usr/bin/env python3
"""Tests the real command: people on several hosts of networks made for it.

run.py --patter .build/release/patter               all scenarios
run.py --patter .build/release/patter --only NAME   one of them; may be repeated
run.py --list                                       their names and what they show

Each host is a network namespace, so root is needed, or a system that lets everybody make user
namespaces, and iproute2. Nothing is sent outside of these namespaces, and they end with this
process. Without namespaces nothing is run, which is a failure where CI=true.
"""
import argparse
import concurrent.futures
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True

from lab import namespace  # noqa: E402
from lab.scenario import SCENARIOS, Options, perform  # noqa: E402
import scenarios  # noqa: E402,F401

IN_USER_NAMESPACE = "PATTER_E2E_IN_USER_NAMESPACE"
PREFIX = "patter-e2e-"


def main():
    arguments = parse()
    if arguments.list:
        for scenario in SCENARIOS:
            print(f"{scenario.name:24} {scenario.body.__doc__.splitlines()[0]}")
        return 0
    chosen = choose(arguments.only)
    patter = pathlib.Path(arguments.patter).resolve()
    if not os.access(patter, os.X_OK):
        sys.exit(f"run.py: there is no {patter}; swift build -c release --product patter makes it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    enter_user_namespace()
    reason = missing()
    if reason:
        print(f"left out: the scenarios on several hosts ({reason})")
        return 1 if os.environ.get("CI") == "true" else 0
    with own_directory() as directory:
        return run(chosen, Options(str(patter), directory, arguments.long), arguments.jobs)


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patter", default=".build/release/patter", help="the command")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--long", action="store_true", help="let long talks be a full minute")
    parser.add_argument("--jobs", type=int, default=4, help="scenarios at once")
    return parser.parse_args()


def choose(names):
    known = {scenario.name: scenario for scenario in SCENARIOS}
    for name in names:
        if name not in known:
            sys.exit(f"run.py: there is no scenario {name}; there are: {', '.join(known)}")
    return [known[name] for name in names] or SCENARIOS


def enter_user_namespace():
    """Where we are not root, becomes root of a user namespace, if the system lets us."""
    if os.geteuid() == 0 or IN_USER_NAMESPACE in os.environ or not shutil.which("unshare"):
        return
    if os.system("unshare --user --map-root-user --net true 2>/dev/null") != 0:
        return
    print("not root: running in a user namespace", flush=True)
    os.environ[IN_USER_NAMESPACE] = "yes"
    os.execvp("unshare", ["unshare", "--user", "--map-root-user", "--net", sys.executable,
                          *sys.argv])


def missing():
    for program in ["ip", "setpriv", "prlimit", "nc"]:
        if not shutil.which(program):
            return f"{program} is not installed"
    reason = namespace.reason_against()
    return reason and f"no network namespaces: {reason}"


@contextlib.contextmanager
def own_directory():
    """A directory for this run; those of runs that were killed are taken away."""
    parent = pathlib.Path(tempfile.gettempdir())
    for left_over in parent.glob(PREFIX + "*-*"):
        owner = left_over.name.removeprefix(PREFIX).split("-")[0]
        if owner.isdecimal() and not os.path.exists(f"/proc/{owner}"):
            shutil.rmtree(left_over, ignore_errors=True)
    directory = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def run(chosen, options, jobs):
    start = time.monotonic()
    results = []
    # A child is killed with the thread that started it, so no thread may end before its scenario.
    with concurrent.futures.ThreadPoolExecutor(max(1, jobs)) as pool:
        pending = [
            pool.submit(perform, scenario, options) for scenario in chosen if not scenario.alone]
        try:
            for future in concurrent.futures.as_completed(pending):
                results.append(report(future.result()))
        except BaseException as error:
            # The people of what runs die with this process, and their networks with them.
            shutil.rmtree(options.directory, ignore_errors=True)
            os._exit(error.code if isinstance(error, SystemExit) else 130)
    for scenario in chosen:
        if scenario.alone:
            results.append(report(perform(scenario, options)))
    words = [result.word for result in results]
    known = f", {words.count('known')} known to fail" if "known" in words else ""
    print(f"{words.count('ok')} passed, {words.count('FAILED')} failed{known}"
          f" ({time.monotonic() - start:.0f} s)")
    return 1 if "FAILED" in words else 0


def report(result):
    notes = f": {'; '.join(result.notes)}" if result.notes else ""
    print(f"{result.word} {result.scenario.name} ({result.seconds:.1f} s){notes}")
    if result.scenario.known:
        print(f"  known: {result.scenario.known}" if result.failure
              else f"  passes now; take the mark away: {result.scenario.known}")
    if result.word == "FAILED" and result.failure:
        print(result.failure)
    sys.stdout.flush()
    return result


if __name__ == "__main__":
    sys.exit(main())
