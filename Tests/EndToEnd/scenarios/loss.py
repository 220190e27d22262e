"""Talking while datagrams are lost."""
import re
import time

from lab.expect import expect, expect_equal, expect_lines
from lab.scenario import scenario

LOST = re.compile(r"^\((\d+) messages? from Luke (?:was|were) lost\)$")
LEFT = re.compile(r"^\* .* has left")


@scenario
def lossy_talk(lab):
    """With 20 % of datagrams lost each line comes once and in order, and nobody leaves."""
    three_talk(lab, "loss=20%")


@scenario
def spoiled_talk(lab):
    """So it is with datagrams that are late, doubled and out of order as well."""
    three_talk(lab, "loss=20%,delay=40ms,jitter=30ms,duplicate=10%,reorder=10%")


def three_talk(lab, impairment):
    _, hosts = lab.lan("first", "second", "third")
    people = [
        lab.chat(host, name, "--impair", f"{impairment},seed={seed}")
        for seed, (host, name) in enumerate(zip(hosts, ["Luke", "Leia", "Han"]), 1)]
    took = max(
        person.meets(other, since=people[-1].started)
        for person in people for other in people if other is not person)
    lab.note(f"three met after {took:.2f} s")
    lines = [f"line {number}" for number in range(1, 201)]
    start = time.monotonic()
    for number, line in enumerate(lines):
        wait_until(start + number / 100)
        for person in people:
            person.type(line)
    took = max(
        person.hears(other, lines[-1], since=time.monotonic())
        for person in people for other in people if other is not person)
    lab.note(f"the last line after {took:.2f} s")
    for person in people:
        for other in people:
            if other is not person:
                expect_lines(person.heard_from(other), lines,
                             f"what {person.name} heard of {other.name}")
        person.does_not_see(LEFT)
    for person in people:
        person.ends(0, within=5, since=person.end_input())


@scenario
def unreliable_talk(lab):
    """With --delivery unreliable, what is lost is counted: heard and lost make up what was said."""
    _, (first, second) = lab.lan("first", "second")
    luke = lab.chat(first, "Luke", "--delivery", "unreliable", "--impair", "loss=20%,seed=3")
    leia = lab.chat(second, "Leia", "--impair", "loss=20%,seed=4")
    luke.meets(leia)
    leia.meets(luke)
    said = 300
    start = time.monotonic()
    for number in range(1, said + 1):
        wait_until(start + number / 100)
        luke.type(f"{number}")

    def is_counted():
        heard = [int(text) for text in leia.heard_from("Luke")]
        return heard and heard[-1] > said * 0.9 and len(heard) + lost(leia) == heard[-1]

    leia.wait_until(is_counted, 10, "heard and lost do not make up what was said")
    heard = [int(text) for text in leia.heard_from("Luke")]
    expect_equal(heard, sorted(set(heard)), "the numbers that Leia heard")
    expect(said * 0.1 < lost(leia) < said * 0.3, f"{lost(leia)} of {said} lost at 20 %")
    lab.note(f"{len(heard)} heard and {lost(leia)} lost of {said}")
    leia.does_not_see(LEFT)
    since = luke.end_input()
    luke.ends(0, within=5, since=since)
    leia.misses(luke, 5, since)
    total = len(leia.heard_from("Luke")) + lost(leia)
    expect(heard[-1] <= total <= said, f"{total} of {said} heard or lost after the end")


def talk(lab, seconds):
    """Two say 100 lines a second at 20 % loss; checks that all came, and returns both with how
    their memory grew from the tenth second (a third of a short talk) to the end, in bytes."""
    _, hosts = lab.lan("first", "second")
    people = [
        lab.chat(host, name, "--impair", f"loss=20%,seed={seed}")
        for seed, (host, name) in enumerate(zip(hosts, ["Luke", "Leia"]), 1)]
    luke, leia = people
    luke.meets(leia)
    leia.meets(luke)
    lines = [f"line {number}" for number in range(1, 100 * seconds + 1)]
    settled = 100 * min(10, seconds // 3)
    start = time.monotonic()
    before = None
    for number, line in enumerate(lines):
        wait_until(start + number / 100)
        if number == settled:
            before = [person.resident_bytes() for person in people]
        for person in people:
            person.type(line)
    luke.hears(leia, lines[-1])
    leia.hears(luke, lines[-1])
    after = [person.resident_bytes() for person in people]
    expect_lines(luke.heard_from(leia), lines, "what Luke heard of Leia")
    expect_lines(leia.heard_from(luke), lines, "what Leia heard of Luke")
    for person in people:
        person.does_not_see(LEFT)
    ticks = [person.processor_ticks() for person in people]
    return [now - then for then, now in zip(before, after)], after, ticks


@scenario(alone=True)
def steady_talk(lab):
    """100 lines a second both ways at 20 % loss: nothing lost, nothing twice, memory flat."""
    seconds = 60 if lab.options.long else 15
    growth, sizes, ticks = talk(lab, seconds)
    for index in range(2):
        lab.note(f"{sizes[index] / 2**20:.1f} MiB, {growth[index] / 2**10:+.0f} KiB,"
                 f" {ticks[index] * 10} ms of processor in {seconds} s")
    expect(max(growth) < 2 << 20, f"memory grew by {growth} bytes")


def lost(listener):
    """How many messages of Luke's somebody was told to have lost."""
    matches = (LOST.match(line) for line in listener.texts())
    return sum(int(match.group(1)) for match in matches if match)


def wait_until(moment):
    """Paces what is typed."""
    time.sleep(max(0.0, moment - time.monotonic()))
