"""People on one network: meeting, talking, leaving, dying, and coming back."""
import re
import signal
import time

from lab.expect import expect_equal, expect_lines
from lab.scenario import scenario

FIRST = [f"line {number}" for number in range(1, 21)]


@scenario
def meet_talk_leave(lab):
    """Two meet within 2 s and talk; a late third joins; leaving is seen at once."""
    _, (first, second, third) = lab.lan("first", "second", "third")
    luke = lab.chat(first, "Luke")
    leia = lab.chat(second, "Leia")
    took = max(luke.meets(leia, within=2, since=leia.started), leia.meets(luke, within=2))
    lab.note(f"two met after {took:.2f} s")

    luke.type(*FIRST)
    leia.type(*FIRST)
    luke.hears(leia, FIRST[-1])
    leia.hears(luke, FIRST[-1])

    han = lab.chat(third, "Han")
    took = max(han.meets(luke, leia, within=2),
               luke.meets(han, within=2, since=han.started),
               leia.meets(han, within=2, since=han.started))
    lab.note(f"the third after {took:.2f} s")
    han.type("Hey, how goes it, man?")
    luke.hears(han, "Hey, how goes it, man?")
    leia.hears(han, "Hey, how goes it, man?")

    # Who spoke stays for 1.5 s after his start, for those who come meanwhile.
    time.sleep(max(0.0, leia.started + 1.6 - time.monotonic()))
    since = leia.end_input()
    took = max(luke.misses(leia, 1, since), han.misses(leia, 1, since))
    leia.ends(0, within=3, since=since)
    lab.note(f"leaving was seen after {took:.2f} s")

    expect_lines(luke.heard_from(leia), FIRST, "what Luke heard of Leia")
    expect_lines(leia.heard_from(luke), FIRST, "what Leia heard of Luke")
    for person, others in [(luke, [leia, han]), (leia, [luke, han]), (han, [luke, leia])]:
        for other in others:
            expect_equal(person.count(f"* {other.name} has joined"), 1,
                         f"how often {person.name} saw {other.name} join")


@scenario
def crash(lab):
    """Who is killed is missed within 15 s, and his second start is recognised."""
    _, (first, second, third) = lab.lan("first", "second", "third")
    luke, leia, han = (
        lab.chat(first, "Luke"), lab.chat(second, "Leia"), lab.chat(third, "Han"))
    luke.meets(leia, han)
    leia.meets(luke, han)
    since = han.kill()
    took = max(luke.misses(han, 15, since, reason=" (timed out)"),
               leia.misses(han, 15, since, reason=" (timed out)"))
    lab.note(f"missed after {took:.1f} s")
    luke.type("Han?")
    leia.hears(luke, "Han?")

    since, place = leia.kill(), luke.position
    leia = lab.chat(second, "Leia")
    luke.misses(leia, 5, since, after=place, reason=" (started again)")
    took = luke.meets(leia, within=5, since=leia.started, after=place)
    leia.meets(luke, within=5)
    lab.note(f"a second start was seen after {took:.2f} s")
    leia.type("I am back")
    luke.hears(leia, "I am back")


@scenario
def pulled_cable(lab):
    """A pulled cable is noticed on both sides within 15 s; plugged in again, they meet again."""
    switch, (first, second, third) = lab.lan("first", "second", "third")
    luke, leia, han = (
        lab.chat(first, "Luke"), lab.chat(second, "Leia"), lab.chat(third, "Han"))
    luke.meets(leia, han)
    leia.meets(luke, han)
    han.meets(luke, leia)
    switch.unplug(third)
    since = time.monotonic()
    took = max(luke.misses(han, 15, since, reason=" (timed out)"),
               leia.misses(han, 15, since, reason=" (timed out)"),
               han.misses(luke, 15, since, reason=" (timed out)"),
               han.misses(leia, 15, since, reason=" (timed out)"))
    lab.note(f"noticed after {took:.1f} s")
    luke.type("still here")
    leia.hears(luke, "still here")

    places = [person.position for person in (luke, leia, han)]
    since = time.monotonic()
    switch.plug_in_again(third)
    took = max(luke.meets(han, within=5, since=since, after=places[0]),
               leia.meets(han, within=5, since=since, after=places[1]),
               han.meets(luke, leia, within=5, since=since, after=places[2]))
    lab.note(f"met again after {took:.2f} s")
    han.type("back again")
    luke.hears(han, "back again")
    leia.hears(han, "back again")


@scenario
def broken_switch(lab):
    """A switch that forwards nothing, which no host can see, is noticed and got over as well."""
    switch, (first, second) = lab.lan("first", "second")
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia)
    leia.meets(luke)
    since = time.monotonic()
    switch.namespace.ip("link set switch down")
    luke.type("is this heard?")
    took = max(luke.misses(leia, 15, since, reason=" (timed out)"),
               leia.misses(luke, 15, since, reason=" (timed out)"))
    lab.note(f"noticed after {took:.1f} s")
    luke.sees(re.compile("line 1 may not have reached Leia"), stream="!")
    places = [luke.position, leia.position]
    since = time.monotonic()
    switch.namespace.ip("link set switch up")
    # There is a beacon every two seconds, and no other hint.
    took = max(luke.meets(leia, within=4, since=since, after=places[0]),
               leia.meets(luke, within=4, since=since, after=places[1]))
    lab.note(f"met again after {took:.2f} s")
    luke.type("and this?")
    leia.hears(luke, "and this?")


@scenario
def suspended(lab):
    """Who was suspended for longer than the others waited meets them again when he wakes."""
    _, (first, second) = lab.lan("first", "second")
    luke, leia = lab.chat(first, "Luke"), lab.chat(second, "Leia")
    luke.meets(leia)
    leia.meets(luke)
    since = leia.send(signal.SIGSTOP)
    luke.misses(leia, 15, since, reason=" (timed out)")
    time.sleep(1)
    places = [luke.position, leia.position]
    since = leia.send(signal.SIGCONT)
    # What came while she slept looks new to her: she may believe in the connection for another
    # 12 s, and if it is she who has to call, does not call before.
    took = max(luke.meets(leia, within=16, since=since, after=places[0]),
               leia.meets(luke, within=16, since=since, after=places[1]))
    lab.note(f"met again after {took:.2f} s")
    luke.type("good morning")
    leia.hears(luke, "good morning")
