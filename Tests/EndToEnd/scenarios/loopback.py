"""People on one machine that has no network but loopback."""
import re
import time

from lab.expect import expect, expect_equal, expect_lines
from lab.scenario import scenario

LUKE_TOLD_APART = re.compile(r"^\* Luke#[0-9a-f]{4} has joined$")


@scenario
def two_terminals(lab):
    """Two terminals of one user meet where there is nothing but loopback."""
    host = lab.host("alone")
    luke, leia = lab.chat(host, "Luke"), lab.chat(host, "Leia")
    took = max(luke.meets(leia, within=2, since=leia.started), leia.meets(luke, within=2))
    lab.note(f"met after {took:.2f} s")
    lines = [f"line {number}" for number in range(1, 51)]
    luke.type(*lines)
    leia.type(*lines)
    luke.hears(leia, lines[-1])
    leia.hears(luke, lines[-1])
    expect_lines(luke.heard_from(leia), lines, "what Luke heard")
    expect_lines(leia.heard_from(luke), lines, "what Leia heard")
    since = luke.kill()
    leia.misses(luke, 15, since, reason=" (timed out)")
    leia.ends(0, since=leia.end_input())


@scenario
def three_terminals(lab):
    """Three terminals on one machine meet, over a network as well as by loopback, each once."""
    _, (host,) = lab.lan("machine")
    people = [lab.chat(host, name) for name in ["Luke", "Leia", "Han"]]
    for person in people:
        others = [other for other in people if other is not person]
        person.meets(*others, within=2, since=people[-1].started)
    for person in people:
        person.type(f"{person.name} speaks")
    for person in people:
        for other in people:
            if other is not person:
                person.hears(other, f"{other.name} speaks")
                expect_equal(person.count(f"* {other.name} has joined"), 1,
                             f"how often {person.name} saw {other.name} join")
                expect_equal(person.heard_from(other), [f"{other.name} speaks"],
                             f"what {person.name} heard of {other.name}")
    since = people[0].end_input()
    for person in people[1:]:
        person.misses(people[0], 3, since)


@scenario
def two_of_one_name(lab):
    """Two people called Luke are told apart."""
    host = lab.host("alone")
    leia = lab.chat(host, "Leia")
    first = lab.chat(host, "Luke")
    leia.meets(first, within=2, since=first.started)
    second = lab.chat(host, "Luke")
    leia.sees(LUKE_TOLD_APART, within=2, since=second.started)
    shown = next(line for line in leia.texts() if LUKE_TOLD_APART.match(line)).split()[1]
    first.sees(LUKE_TOLD_APART, within=2, since=second.started)
    second.sees(LUKE_TOLD_APART, within=2)
    first.type("I am the first")
    second.type("I am the second")
    leia.sees("Luke: I am the first")
    leia.sees(f"{shown}: I am the second")
    since = second.end_input()
    leia.sees(f"* {shown} has left", since=since)
    who = lab.patter(host, "who", "--wait", "1s")
    who.ends(0)
    expect(who.count(re.compile(r"^  Luke")) == 1, f"one Luke is left: {who.texts()}")


@scenario
def connect_localhost(lab):
    """--connect localhost finds another terminal, and not oneself."""
    host = lab.host("alone")
    luke = lab.chat(host, "Luke", "--no-discovery")
    luke.sees(re.compile("^. Listening"), stream="!")
    leia = lab.chat(host, "Leia", "--no-discovery", "--connect", "localhost")
    took = max(luke.meets(leia, within=2, since=leia.started), leia.meets(luke, within=2))
    lab.note(f"met after {took:.2f} s")
    luke.type("hello")
    leia.hears(luke, "hello")
    time.sleep(2)
    expect_equal(leia.texts(), ["* Luke has joined", "Luke: hello"], "what Leia saw")
    expect_equal(luke.texts(), ["* Leia has joined"], "what Luke saw")
