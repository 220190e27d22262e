#!/usr/bin/env python3
"""Runs libFuzzer for a while on everything that reads bytes from the network.

run.py --fuzz .build/fuzz/release/fuzz              all targets, a minute in all
run.py --fuzz FUZZ --only machine --secs 3600       one of them, for an hour
run.py --fuzz FUZZ --only machine --replay HEX      what was found, once more
run.py --fuzz FUZZ --corpus DIRECTORY               go on with the inputs that are kept there

It begins with the stored datagrams of Tests/WireFormat, in the form that each target reads. What
makes a target fail is printed as hexadecimal digits. The program is built by
FUZZ=address swift build -c release --scratch-path .build/fuzz --product fuzz.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).resolve().parent.parent / "WireFormat" / "datagrams.txt"
# Each with its share of the time and the longest input.
TARGETS = {
    "datagram": (1, 1500), "frames": (1, 1500), "acknowledgement": (1, 600), "beacon": (1, 300),
    "chat": (1, 1000), "record": (1, 1500), "conversation": (1, 1500), "impairment": (1, 200),
    "machine": (6, 4096),
}


def main():
    arguments = parse()
    fuzz = pathlib.Path(arguments.fuzz).resolve()
    if not fuzz.exists():
        sys.exit(f"run.py: there is no {fuzz}")
    chosen = arguments.only or list(TARGETS)
    with tempfile.TemporaryDirectory(prefix="patter-fuzz-") as directory:
        if arguments.replay:
            return replay(fuzz, chosen, arguments.replay, pathlib.Path(directory))
        corpus = pathlib.Path(arguments.corpus or directory).resolve()
        # Those that take longest first.
        chosen.sort(key=lambda name: -TARGETS[name][0])
        unit = arguments.secs * arguments.jobs / sum(TARGETS[name][0] for name in chosen)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            results = list(pool.map(
                lambda name: run(fuzz, name, corpus, pathlib.Path(directory), unit, arguments.seed),
                chosen))
    return 0 if all(results) else 1


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuzz", default=".build/fuzz/release/fuzz", help="the program")
    parser.add_argument("--only", action="append", choices=list(TARGETS), help="this target alone")
    parser.add_argument("--secs", type=float, default=60, help="for all targets together")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--seed", type=int, default=1, help="libFuzzer's seed; 0 draws one")
    parser.add_argument("--corpus", help="where inputs are kept that reach something new")
    parser.add_argument("--replay", metavar="HEX", help="run this input alone")
    arguments = parser.parse_args()
    arguments.jobs = max(1, min(arguments.jobs, len(arguments.only or TARGETS)))
    return arguments


def environment():
    # Otherwise a program that has crashed hangs in the search for its backtrace.
    return {**os.environ, "SWIFT_BACKTRACE": "enable=no"}


def stored():
    """The stored datagrams: what each is, and its bytes."""
    entries = []
    kind = ""
    for line in STORED.read_text(encoding="utf-8").splitlines():
        if line.startswith("is: "):
            kind = line[4:].strip()
        elif line.startswith("bytes: "):
            entries.append((kind, bytes.fromhex(line[7:])))
    return entries


def is_data(packet):
    return len(packet) > 12 and packet[0] & 0xC0 == 0x80


def seeds(target):
    """What a target begins with; `MachineFuzzing` says how the input of `machine` is read."""
    found = {bytes: None for _, bytes in stored()}
    packets = list(found)
    if target in ["frames", "acknowledgement"]:
        return [packet[12:] for packet in packets if is_data(packet)]
    if target == "impairment":
        return [b"loss=20%,delay=40ms", b"in:jitter=1.5s,seed=7,both:none"]
    if target != "machine":
        return packets
    steps = []
    for packet in packets:
        if is_data(packet) and len(packet) < 255:
            # Frames behind the header of the next packet.
            steps.append(bytes([0x12, len(packet) - 12]) + packet[12:])
        elif len(packet) < 255:
            steps.append(bytes([0, len(packet)]) + packet)
    # The user sends something, time passes, and a genuine datagram is played again.
    between = bytes([12, 1, 0x12, 9, 0, 200, 7, 0, 3])
    return [step + between + step for step in steps] + [between.join(steps)]


def run(fuzz, name, corpus, directory, unit, seed):
    """Returns whether nothing was found."""
    share, longest = TARGETS[name]
    own = corpus / name
    own.mkdir(parents=True, exist_ok=True)
    begin = directory / f"{name}-begin"
    begin.mkdir()
    for number, content in enumerate(seeds(name)):
        (begin / str(number)).write_bytes(content)
    prefix = directory / f"{name}-found-"
    command = [
        str(fuzz), name, f"-max_total_time={max(1, round(share * unit))}", f"-max_len={longest}",
        f"-seed={seed}", "-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1",
        f"-artifact_prefix={prefix}", str(own), str(begin)]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", env=environment(), check=False)
    figures = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    print(f"{name:16} {int(figures[1]) if figures else 0:10,} inputs, "
          f"{covered[-1] if covered else 0} edges in {max(1, round(share * unit))} s", flush=True)
    found = sorted(directory.glob(f"{name}-found-*"))
    if done.returncode == 0 and not found:
        return True
    print(f"FAILED: {name} ended with {done.returncode}")
    print("\n".join(done.stderr.splitlines()[-40:]))
    for path in found:
        print(f"once more: Tests/Fuzz/run.py --fuzz {fuzz} --only {name} --replay "
              f"{path.read_bytes().hex()}", flush=True)
    return False


def replay(fuzz, names, digits, directory):
    path = directory / "input"
    path.write_bytes(bytes.fromhex(digits))
    codes = [subprocess.run([str(fuzz), name, str(path)], env=environment(), check=False).returncode
             for name in names]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())
