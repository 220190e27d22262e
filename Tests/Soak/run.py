#!/usr/bin/env python3
"""Lets Patter run at full rate over a wire with faults, and watches its memory.

run.py --patter .build/release/patter              ten minutes
run.py --patter .build/release/patter --short      half a minute
run.py --patter .build/release/patter --only calls --attempts 5000000

Two parts. `wire`: a flood of ordered messages and, beside it, streams of reliable ones, between
two hosts with a wire that loses, delays, doubles and reorders packets, each for a while, and now
and then nothing passes at all. Nothing may be missing, double or out of order. `calls`: forged
attempts to connect, each from another address, at a program with a connection in use. In both no
program's memory may grow.

It needs Linux, and network namespaces for the wire. Where they cannot be made it ends with 3.
"""
import argparse
import pathlib
import random
import sys

sys.dont_write_bytecode = True
import calls
import wire

PARTS = ["wire", "calls"]


def main():
    arguments = parse()
    patter = pathlib.Path(arguments.patter).resolve()
    if not patter.exists():
        sys.exit(f"run.py: there is no {patter}")
    findings = []
    for part in arguments.only or PARTS:
        if part == "wire":
            findings += wire.run(patter, arguments.secs, arguments.seed)
        else:
            findings += calls.run(patter, arguments.attempts, random.Random(arguments.seed))
    for finding in findings:
        print(f"FAILED: {finding}")
    if findings:
        print(f"repeat it with: {sys.argv[0]} --secs {arguments.secs} --seed {arguments.seed} "
              f"--attempts {arguments.attempts}")
    return 1 if findings else 0


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patter", default=".build/release/patter", help="the command")
    parser.add_argument("--secs", type=int, default=600, help="how long the flood lasts")
    parser.add_argument("--seed", type=int, default=1, help="decides the faults")
    parser.add_argument("--attempts", type=int, default=1_000_000, help="forged calls")
    parser.add_argument("--short", action="store_true", help="25 seconds, and 300,000 calls")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part alone")
    arguments = parser.parse_args()
    if arguments.short:
        arguments.secs, arguments.attempts = 25, 300_000
    return arguments


if __name__ == "__main__":
    sys.exit(main())
