"""Many people at once."""
import re
import time

from lab.expect import expect_equal, expect_lines
from lab.scenario import scenario

NAMES = [f"P{number:02}" for number in range(1, 21)]


def meet(lab, people):
    """Everybody sees everybody else, and hears him once."""
    last = people[-1].started
    lab.note(f"{len(people)} started within {last - people[0].started:.2f} s")
    took = max(
        person.meets(other, within=2, since=last)
        for person in people for other in people if other is not person)
    lab.note(f"all have met {took:.2f} s after the last start")
    for person in people:
        person.type(f"{person.name} is here")
    for person in people:
        for other in people:
            if other is not person:
                person.hears(other, f"{other.name} is here")
    for person in people:
        for other in people:
            if other is not person:
                expect_equal(person.heard_from(other), [f"{other.name} is here"],
                             f"what {person.name} heard of {other.name}")
                expect_equal(person.count(f"* {other.name} has joined"), 1,
                             f"how often {person.name} saw {other.name} join")


@scenario(alone=True)
def twenty_hosts(lab):
    """Twenty people on twenty hosts have all met within 2 s of the last one's start."""
    _, hosts = lab.lan(*[name.lower() for name in NAMES])
    people = [lab.chat(host, name) for host, name in zip(hosts, NAMES)]
    meet(lab, people)
    # Who spoke stays for 1.5 s after his start, for those who come meanwhile.
    time.sleep(max(0.0, people[0].started + 1.6 - time.monotonic()))
    since = people[0].end_input()
    took = max(person.misses(people[0], 1, since) for person in people[1:])
    lab.note(f"leaving was seen after {took:.2f} s")


@scenario(alone=True)
def twenty_terminals(lab):
    """Twenty people on one machine, more than there are ports to try, have met as soon."""
    host = lab.host("machine")
    people = [lab.chat(host, name) for name in NAMES]
    meet(lab, people)
    ports = [line.rsplit(":", 1)[1] for person in people for line in person.texts("!")
             if "Listening" in line]
    expect_equal(len(set(ports)), len(people), "the number of different ports")
    outside = [port for port in ports if not 28421 <= int(port) <= 28436]
    expect_equal(len(outside), 4, "how many have a port of the system's choice")


@scenario(alone=True)
def twenty_hosts_with_loss(lab):
    """Twenty people lose 20 % of all datagrams, and each still hears each line once, in order."""
    _, hosts = lab.lan(*[name.lower() for name in NAMES])
    people = [lab.chat(host, name, "--impair", f"loss=20%,seed={seed}")
              for seed, (host, name) in enumerate(zip(hosts, NAMES))]
    last = people[-1].started
    pairs = [(person, other) for person in people for other in people if other is not person]
    took = max(person.meets(other, since=last) for person, other in pairs)
    lab.note(f"all have met {took:.2f} s after the last start")
    lines = [f"line {number}" for number in range(1, 21)]
    for line in lines:
        for person in people:
            person.type(line)
        time.sleep(0.1)
    since = time.monotonic()
    took = max(person.hears(other, lines[-1], since=since) for person, other in pairs)
    lab.note(f"the last line after {max(took, 0):.2f} s")
    for person, other in pairs:
        expect_lines(person.heard_from(other), lines, f"what {person.name} heard of {other.name}")
        expect_equal(person.count(f"* {other.name} has joined"), 1,
                     f"how often {person.name} saw {other.name} join")
    for person in people:
        person.does_not_see(re.compile("has left"))
