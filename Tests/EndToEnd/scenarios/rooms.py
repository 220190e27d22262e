"""Rooms, and who is in them."""
import json
import time

from lab.expect import expect, expect_equal
from lab.scenario import scenario
from lab.wire import GROUP


@scenario
def other_room(lab):
    """People in another room are neither shown nor spoken to."""
    _, (first, second, third) = lab.lan("first", "second", "third", ipv6=False)
    tap = lab.tap(third)
    luke = lab.chat(first, "Luke", "--room", "games")
    leia = lab.chat(second, "Leia", "--room", "games")
    han = lab.chat(third, "Han")
    luke.meets(leia)
    leia.meets(luke)
    luke.type("in the room of games")
    leia.hears(luke, "in the room of games")
    han.type("is anybody here?")
    time.sleep(3)
    for text in [*luke.texts(), *leia.texts()]:
        expect("Han" not in text and "anybody" not in text, f"heard from another room: {text!r}")
    expect_equal(han.texts(), [], "what Han, alone in his room, has heard")
    # What comes to his host are beacons to the group, which are for all rooms, and nothing else.
    others = [datagram for datagram in tap.datagrams()
              if datagram.destination[0] != GROUP or datagram.payload[0] != 0xD0]
    expect_equal(others, [], "datagrams to a host in another room")


@scenario
def who(lab):
    """patter who lists who is in a room without joining it, and ends with 3 where nobody is."""
    _, (first, second, third) = lab.lan("first", "second", "third")
    nobody = lab.patter(third, "who", "--wait", "500ms")
    nobody.ends(3, within=2)
    expect_equal(nobody.texts(), [], "standard output of who where nobody is")
    nobody.says_why("nobody was heard", lines=2)

    luke = lab.chat(first, "Luke")
    leia = lab.chat(second, "Leia")
    han = lab.chat(third, "Han", "--room", "games")
    luke.meets(leia)

    listed = lab.patter(third, "who", "--wait", "1s")
    listed.ends(0, within=3)
    lines = listed.texts()
    expect_equal(lines[0], "2 here in lan:", "the first line of who")
    expect_equal([line.split()[0] for line in lines[1:]], ["Leia", "Luke"], "the names of who")
    expect(f"{second.address}:28421" in lines[1], f"Leia's address is not in {lines[1]!r}")
    expect(f"{first.address}:28421" in lines[2], f"Luke's address is not in {lines[2]!r}")
    expect_equal(listed.texts("!"), [], "standard error of who")

    as_json = lab.patter(third, "who", "--wait", "1s", "--json")
    as_json.ends(0, within=3)
    peers = [json.loads(line) for line in as_json.texts()]
    for peer in peers:
        expect_equal(set(peer), {"v", "type", "room", "id", "epoch", "name", "addresses"},
                     "the members of a peer")
        expect_equal((peer["v"], peer["type"], peer["room"]), (1, "peer", "lan"), "of a peer")
    expect_equal([peer["name"] for peer in peers], ["Leia", "Luke"], "the names of who --json")
    expect(first.address in [entry["address"] for entry in peers[1]["addresses"]],
           f"{first.address} is not in {peers[1]}")

    games = lab.patter(first, "who", "--room", "games", "--wait", "1s")
    games.ends(0, within=3)
    expect_equal([line.split()[0] for line in games.texts()[1:]], ["Han"], "who is in games")
    expect_equal((luke.texts(), leia.texts(), han.texts()),
                 (["* Leia has joined"], ["* Luke has joined"], []),
                 "what those in the rooms saw of being listed")
