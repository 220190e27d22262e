"""What it costs to be there."""
import time

from lab.expect import expect
from lab.scenario import scenario


@scenario(alone=True)
def idle(lab):
    """Two who say nothing for 20 s use no measurable processor time."""
    _, (first, second) = lab.lan("first", "second")
    people = [lab.chat(first, "Luke"), lab.chat(second, "Leia")]
    people[0].meets(people[1])
    people[1].meets(people[0])
    time.sleep(3)
    before = [(person.processor_ticks(), wakes(person)) for person in people]
    time.sleep(20)
    after = [(person.processor_ticks(), wakes(person)) for person in people]
    for person, then, now in zip(people, before, after):
        ticks, woken = now[0] - then[0], now[1] - then[1]
        lab.note(f"{person.name}: {ticks} ticks of 10 ms, {woken} wakes")
        expect(ticks <= 2, f"{person.name} used {ticks} ticks of the processor")
        # Beacons both ways, signs of life and their acknowledgements: some four a second.
        expect(woken <= 20 * 10, f"{person.name} woke up {woken} times")


def wakes(person):
    """How often the process went to sleep of its own accord."""
    with open(f"/proc/{person.pid}/status") as file:
        for line in file:
            if line.startswith("voluntary_ctxt_switches"):
                return int(line.split()[1])
    return 0
