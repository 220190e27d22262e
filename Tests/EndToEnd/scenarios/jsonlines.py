"""The form for programs: --json."""
import re
import signal
import time

from lab.expect import expect, expect_equal
from lab.scenario import scenario

IDENTITY = re.compile(r"^[0-9a-f]{32}$")


def wait_for(run, kind, condition=lambda event: True, limit=10):
    """The first event of a kind for which the condition holds."""

    def find():
        return next((event for event in run.events(kind) if condition(event)), None)

    return run.wait_until(find, limit, f"no {kind} event")


def check_member(member, name):
    expect_equal(set(member), {"id", "epoch", "name", "nick"}, "the members of `from`")
    expect(IDENTITY.match(member["id"]), f"{member['id']!r} is no identity")
    expect_equal((member["name"], member["nick"]), (name, name), "the names in `from`")


@scenario
def json_events(lab):
    """Each line of --json is an object with v and type, and each type has its members."""
    _, (first, second, third) = lab.lan("first", "second", "third")
    luke = lab.chat(first, "Luke", "--json")
    leia = lab.chat(second, "Leia", "--json")

    ready = wait_for(luke, "ready")
    expect(IDENTITY.match(ready["id"]), f"{ready['id']!r} is no identity")
    expect_equal((ready["name"], ready["room"], ready["port"], ready["shared_port"]),
                 ("Luke", "lan", 28421, 28420), "of the ready event")
    expect_equal(sorted(ready["groups"]), ["239.255.80.84", "ff12::5054"], "the groups")
    expect({"interface": "eth0", "address": first.address, "port": 28421} in ready["addresses"],
           f"{first.address} is not in {ready['addresses']}")

    joined = wait_for(luke, "joined")
    check_member(joined["from"], "Leia")
    expect_equal(joined["room"], "lan", "the room of a joined event")
    expect_equal(joined["from"]["id"], wait_for(leia, "ready")["id"], "Leia's identity")

    text = 'quoted "so", \\ and é 👩‍🚀, a:b, \tand \x1b[31mred'
    leia.type(text, "second")
    message = wait_for(luke, "message", lambda event: event["sequence"] == 2)
    message = wait_for(luke, "message")
    expect_equal(set(message), {"v", "type", "room", "id", "from", "text", "sequence", "delivery"},
                 "the members of a message")
    expect_equal((message["text"], message["sequence"], message["delivery"], message["room"]),
                 (text, 1, "reliable", "lan"), "of the message")
    check_member(message["from"], "Leia")
    ids = [event["id"] for event in luke.events("message")]
    expect_equal(len(set(ids)), 2, "different ids of messages")

    leia.type("x" * 1_200)
    error = wait_for(leia, "error")
    expect_equal(error["kind"], "refused", "the kind of the error")
    expect("1200" in error["message"], f"the size is not in {error['message']!r}")

    han = lab.chat(third, "Han", "--delivery", "unreliable", "--impair", "loss=30%,seed=5")
    wait_for(luke, "joined", lambda event: event["from"]["name"] == "Han")
    for number in range(1, 101):
        han.type(f"{number}")
        time.sleep(0.01)
    gap = wait_for(luke, "gap")
    check_member(gap["from"], "Han")
    expect_equal(gap["count"], gap["last"] - gap["first"] + 1, "the count of a gap")
    heard = [event for event in luke.events("message") if event["from"]["name"] == "Han"]
    for event in heard:
        expect_equal((event["delivery"], event["text"]), ("unreliable", f"{event['sequence']}"),
                     "of an unreliable message")
        for missing in luke.events("gap"):
            expect(not missing["first"] <= event["sequence"] <= missing["last"],
                   f"{event['sequence']} was both heard and lost: {missing}")

    leia.send(signal.SIGINT)
    left = wait_for(luke, "left")
    check_member(left["from"], "Leia")
    expect_equal((left["reason"], left["room"]), ("closedByThem", "lan"), "of the left event")
    leia.ends(130)
    luke.ends(0, since=luke.end_input())
    for run in (luke, leia):
        run.events()
        expect_equal(run.texts("!"), [], "standard error with --json")
