#!/usr/bin/env python3
"""Measures Patter beside ENet on this machine, and prints one table with the medians.

run.py --patter .build/release/patter              five runs in turns
run.py --patter .build/release/patter --short      one short run, to see that all of it works
run.py --patter .build/release/patter --loss       streams over a wire that loses packets, too

It installs nothing: where a compiler or libenet-dev is missing it says so and ends with 3.
"""
import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLOORS = ROOT / "Sources" / "CBenchmarks"
FLOODS = ["tcp-64-64", "patter-64", "tcp-1200-16"]
ECHOES = ["udp-echo-epoll", "tcp-echo-epoll", "patter-echo-epoll"]


def main():
    arguments = parse()
    patter = pathlib.Path(arguments.patter).resolve()
    if not patter.exists():
        sys.exit(f"run.py: there is no {patter}")
    with tempfile.TemporaryDirectory(prefix="patter-peers-") as directory:
        enet = build(directory)
        figures = {}
        for number in range(1, arguments.runs + 1):
            print(f"run {number} of {arguments.runs}", file=sys.stderr)
            for name, unit, value in one_round(enet, patter, arguments):
                figures.setdefault((name, unit), []).append(value)
        if arguments.loss:
            for name, unit, value in streams(enet, patter, arguments):
                figures.setdefault((name, unit), []).append(value)
    print(f"medians of {arguments.runs} runs in turns")
    width = max(len(name) for name, _ in figures)
    for (name, unit), values in figures.items():
        print(f"{name:{width}}  {statistics.median(values):12,.1f} {unit}"
              f"  [{min(values):,.1f} - {max(values):,.1f}]")
    return 0


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patter", default=".build/release/patter", help="the command")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--secs", type=float, default=2.0, help="how long a flood is measured")
    parser.add_argument("--count", type=int, default=20000, help="round trips of a conversation")
    parser.add_argument("--short", action="store_true", help="one short run")
    parser.add_argument("--loss", action="store_true", help="streams at 10 %% loss as well")
    arguments = parser.parse_args()
    if arguments.short:
        arguments.runs, arguments.secs, arguments.count = 1, 0.3, 1000
    return arguments


def build(directory):
    """Compiles the program; says what is missing where that cannot be."""
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if not compiler:
        print("run.py: there is no C compiler; install gcc", file=sys.stderr)
        sys.exit(3)
    test = subprocess.run(
        [compiler, "-E", "-xc", "-"], input="#include <enet/enet.h>\n", capture_output=True,
        text=True, check=False)
    if test.returncode != 0:
        print("run.py: ENet is missing; install libenet-dev", file=sys.stderr)
        sys.exit(3)
    program = f"{directory}/enet"
    subprocess.run(
        [compiler, "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", f"-I{FLOORS}",
         f"-I{FLOORS}/include", str(HERE / "enet.c"), str(FLOORS / "process.c"), "-o", program,
         "-lenet", "-lm"], check=True)
    return program


def lines(command, limit=120, codes=(0,)):
    """The objects that a program prints, a line each."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    if done.returncode not in codes:
        sys.exit(f"run.py: {' '.join(map(str, command))} ended with {done.returncode}: "
                 f"{done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def one_round(enet, patter, arguments):
    """Everything once, in turns."""
    for size in [64, 1200]:
        ends = {line["role"]: line for line in lines(
            [enet, "flood", "--size", str(size), "--secs", str(arguments.secs)])}
        yield f"ENet reliable, {size} B", "messages/s", ends["server"]["rate"]
        processor = ends["server"]["cpu_ns_msg"] + ends["client"]["cpu_ns_msg"]
        yield f"ENet reliable, {size} B, both ends", "ns/message", processor
    chosen = [word for name in FLOODS for word in ("--only", name)]
    # 8: something else ran at the same time. The figures are shown all the same.
    for row in lines([patter, "bench", "throughput", "--json", "--runs", "1", "--secs",
                      f"{int(arguments.secs * 1000)}ms", *chosen], codes=(0, 8)):
        if row["type"] == "throughput":
            name = f"{row['title']}, {row['size']} B ({row['face']})"
            yield name, "messages/s", row["rate"]
            yield f"{name}, both ends", "ns/message", row["sender_ns"] + row["receiver_ns"]
    for name, busy in [("blocking", "0"), ("busy", "1")]:
        row = lines([enet, "echo", "--count", str(arguments.count), "--busy", busy])[0]
        yield f"ENet there and back, {name}, p50", "µs", row["p50_us"]
        yield f"ENet there and back, {name}, p99", "µs", row["p99_us"]
    chosen = [word for name in ECHOES for word in ("--only", name)]
    for row in lines([patter, "bench", "latency", "--json", "--runs", "1", "--count",
                      str(arguments.count), *chosen], codes=(0, 8)):
        if row["type"] == "latency":
            yield f"{row['title']} there and back ({row['face']}), p50", "µs", row["p50_us"]
            yield f"{row['title']} there and back ({row['face']}), p99", "µs", row["p99_us"]


def streams(enet, patter, arguments):
    """ENet's streams on Patter's wire, and Patter's own beside them."""
    seconds, warm = ("6", "3") if arguments.short else ("18", "6")
    stream = ["--flows", "40", "--hz", "60", "--secs", seconds, "--warm", warm]
    there = ["--ip", "10.77.0.2", "--port", "9000"]
    for seed in range(1, arguments.runs + 1):
        told = lines([patter, "bench", "wire", "--impair", "loss=10%,delay=25ms", "--seed",
                      str(seed), "--lossless", "2500ms", "--limit", "90s", "--", enet,
                      "stream-server", *stream, *there, "::", enet, "stream-client", *stream,
                      *there])
        row = next(line for line in told if line.get("role") == "server")
        for key in ["p50", "p99"]:
            yield f"ENet reliable, 10 % loss, {key}", "ms", row[key]
    for row in lines([patter, "bench", "loss", "--json", "--loss", "10", "--runs",
                      str(arguments.runs), *stream], limit=3600, codes=(0, 8)):
        if row["type"] == "loss":
            for key in ["p50", "p99"]:
                yield f"{row['title']}, 10 % loss, {key}", "ms", row[f"{key}_ms"]


if __name__ == "__main__":
    sys.exit(main())
