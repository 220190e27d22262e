"""What `patter bench` measures, in forms that are too short for figures."""
import json
import os
import signal
import time

from lab.expect import expect, expect_equal
from lab.scenario import scenario

MEASURED = (0, 8)
"""8: something else ran at the same time, as it does here."""


def measured(lab, host, *arguments, within):
    """Runs a report to its end, and returns its objects by their type."""
    run = lab.patter(host, "bench", *arguments, "--json")
    run.process.wait(within)
    expect(run.process.returncode in MEASURED,
           f"{run}: ended with {run.process.returncode}: {run.texts('!')}")
    run.wait_until(lambda: run.transcript.is_complete, 5, "its output does not end")
    rows = {}
    for event in run.events():
        rows.setdefault(event["type"], []).append(event)
    expect_equal(len(rows.get("machine", [])), 1, "lines about the machine")
    expect_equal(len(rows.get("verdict", [])), 1, "verdicts")
    expect_equal(rows["verdict"][0]["trusted"], run.process.returncode == 0, "the verdict")
    return rows


@scenario(alone=True)
def bench_pairs(lab):
    """Every pair of ends meets, measures itself, and tells figures that can be."""
    host = lab.host("alone")
    rows = measured(lab, host, "throughput", "--runs", "1", "--secs", "100ms", within=60)
    names = [row["case"] for row in rows["throughput"]]
    expect({"udp-64", "udp-64-gso", "tcp-64-64", "tcp-1200-16"} <= set(names), f"cases: {names}")
    for row in rows["throughput"]:
        expect(row["rate"] > 1000, f"{row['case']} has {row['rate']} messages a second")
        expect(row["sender_ns"] > 0 and row["receiver_ns"] > 0, f"{row['case']} cost nothing")
    rows = measured(lab, host, "latency", "--runs", "1", "--count", "200", within=60)
    for row in rows["latency"]:
        expect(0 < row["p50_us"] <= row["p99_us"] <= row["p999_us"], f"{row}")
    rows = measured(lab, host, "scale", "--connections", "100", within=60)
    expect_equal(rows["scale"][0]["connections"], 100, "connections")


@scenario(alone=True)
def bench_stream(lab):
    """A server and a client of a stream by hand; the server tells the line of the others."""
    host = lab.host("alone")
    plan = ["--flows", "4", "--hz", "50", "--secs", "1", "--warm", "0.2", "--port", "9100"]
    for carrier in ["udp", "tcp", "patter"]:
        server = lab.patter(host, "bench", "stream-server", *plan, "--carrier", carrier)
        time.sleep(0.2)
        client = lab.patter(host, "bench", "stream-client", *plan, "--carrier", carrier,
                            "--grace", "1s")
        server.ends(0, within=10)
        line = json.loads(server.texts()[-1])
        expect_equal((line["expected"], line["got"], line["dup"]), (160, 160, 0), carrier)
        expect(0 <= line["p50"] <= line["p99"] <= line["max"], f"{line}")
        client.ends(0, within=10)


@scenario(alone=True)
def bench_loss(lab):
    """A wire in namespaces of its own loses what it was told to, by its seed."""
    host = lab.host("alone")
    options = ["loss", "--runs", "1", "--loss", "0,10", "--flows", "10", "--hz", "60", "--secs",
               "4", "--warm", "2", "--row", "udp", "--row", "patter", "--jobs", "1"]
    rows = measured(lab, host, *options, within=90)
    cells = {(row["case"], row["loss"]): row for row in rows["loss"]}
    expect_equal(len(cells), 4, "cells")
    expect_equal(cells["udp", 0]["got"], 1200, "messages of the floor without loss")
    share = cells["udp", 0.1]["got"] / 1200
    # The first half second of what is measured is lossless.
    expect(0.85 < share < 0.98, f"{share:.3f} of the floor's messages arrived at 10 % loss")
    expect_equal(cells["patter", 0.1]["got"], 1200, "messages of Patter at 10 % loss")
    expect(cells["patter", 0]["p50_ms"] >= 25, "a delay of 25 ms each way is not there")
    # The same seed meets the same fates.
    again = measured(lab, host, *options, within=90)
    lost = [row["got"] for row in again["loss"] if (row["case"], row["loss"]) == ("udp", 0.1)]
    # The loss begins at a time, and a packet or two may fall on either side of it.
    expect(abs(lost[0] - cells["udp", 0.1]["got"]) <= 3,
           f"the same seed lets through {lost[0]} and {cells['udp', 0.1]['got']}")


@scenario(alone=True)
def bench_fairness(lab):
    """What those get who share a line is what it carries, and games among them get theirs."""
    host = lab.host("alone")
    for case, members in [("patter+patter", 2), ("cubic+games-none", 2)]:
        rows = measured(lab, host, "fairness", "--runs", "1", "--rate", "5", "--secs", "2",
                        "--only", case, within=60)["fairness"]
        expect_equal(len(rows), members, f"members of {case}")
        sum_of_all = sum(row["goodput"] for row in rows)
        expect(3.5e6 < sum_of_all < 5e6, f"{case}: {sum_of_all} bit/s over a line of 5 Mbit/s")
        expect(all(row["goodput"] > 0.2e6 for row in rows), f"{case}: {rows}")


@scenario
def bench_wire_ends(lab):
    """Whoever is started by a benchmark dies with it."""
    host = lab.host("alone")
    run = lab.patter(host, "bench", "loss", "--runs", "1", "--loss", "0", "--row", "udp", "--secs",
                     "30", "--warm", "1")
    time.sleep(1.5)
    run.send(signal.SIGKILL)
    run.process.wait(5)
    end = time.monotonic() + 5
    while (left := children(host)) and time.monotonic() < end:
        time.sleep(0.1)
    expect(not left, f"still running: {left}")


def children(host):
    """Programs of a benchmark that run in the host's directory."""
    found = []
    for number in filter(str.isdecimal, os.listdir("/proc")):
        try:
            where = os.readlink(f"/proc/{number}/cwd")
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if where == str(host.directory) and b"bench" in words:
            found.append(b" ".join(words).decode())
    return found
