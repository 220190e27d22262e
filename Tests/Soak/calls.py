"""Forged attempts to connect at a program that has connections in use, over loopback.

Each comes from an address of its own in 127.0.0.0/8. Most are hellos, whose answer leads nowhere;
some are opens with a cookie that was made up; and some are opens with the genuine cookie, of
somebody who does receive at his address and never confirms.
"""
import json
import select
import socket
import struct
import subprocess
import time

import memory

PORT = 28_790
# Of Linux; the module does not name it.
IP_PKTINFO = 8
WATCHED = ["stream-server", "stream-client"]
# What the program may still have to answer.
WINDOW = 1_024
# Seconds in which nothing has been forged yet, and in which it is over.
MARGIN = 2
# What is slower than this is not waited for.
SLOWEST = 30_000


class Stranger:
    """Somebody with sixteen million addresses."""

    def __init__(self, draw):
        self.draw = draw
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.socket.setsockopt(socket.IPPROTO_IP, IP_PKTINFO, 1)
        self.socket.bind(("0.0.0.0", 0))
        self.socket.setblocking(False)
        self.sent = self.answered = self.opened = 0

    def send(self, packet, address):
        control = struct.pack("=I4s4s", 0, address, b"")
        try:
            self.socket.sendmsg(
                [packet], [(socket.IPPROTO_IP, IP_PKTINFO, control)], 0,
                ("127.0.0.1", PORT))
        except BlockingIOError:
            select.select([], [self.socket], [], 0.01)
            return
        self.sent += 1

    def call(self, number):
        """A hello, or every eighth time an open with a cookie that was made up."""
        address = struct.pack(">I", 127 << 24 | 1 << 16 | number % 0xFE0000)
        who = struct.pack(">QQQ", self.draw.getrandbits(64), number, 1)
        source = struct.pack(">Q", self.draw.getrandbits(64))
        rest = bytes([1]) + bytes(8)
        if number % 8 == 7:
            cookie = self.draw.randbytes(12)
            self.send(bytes([0xC2, 2]) + source + who + bytes(24) + cookie + rest, address)
        else:
            self.send(bytes([0xC0, 2]) + source + who + bytes(24) + rest, address)
        return source, who

    def read(self, callers):
        """Takes all answers in, and makes an open of every fourth."""
        while True:
            try:
                packet, control, _, _ = self.socket.recvmsg(256, 64)
            except BlockingIOError:
                return
            if len(packet) != 46 or packet[0] != 0xC1:
                continue
            self.answered += 1
            who = callers.pop(packet[2:10], None)
            if self.answered % 4 or not who or not control:
                continue
            address = control[0][2][8:12]
            self.send(bytes([0xC2, 2]) + packet[2:10] + who + packet[10:46] + bytes([1])
                      + bytes(8), address)
            self.opened += 1

    def attack(self, attempts, limit):
        callers = {}
        number = settled = 0
        end = time.monotonic() + limit
        while self.sent < attempts and time.monotonic() < end:
            for _ in range(64):
                source, who = self.call(number)
                callers[source] = who
                number += 1
            self.read(callers)
            while self.sent - settled - self.answered > WINDOW:
                if not select.select([self.socket], [], [], 0.005)[0]:
                    # The rest has no answer, or lost it.
                    settled = self.sent - self.answered
                    callers.clear()
                self.read(callers)


def run(patter, attempts, draw):
    """Returns what went wrong."""
    seconds = attempts // SLOWEST + 2 * MARGIN
    print(f"calls: {attempts} forged ones beside connections in use", flush=True)
    words = ["--ip", "127.0.0.1", "--port", str(PORT), "--flows", "4", "--hz", "60", "--warm", "1",
             "--grace", "10s"]
    started = time.monotonic()
    # One that is there for the length of the attack, which is not known; and one that comes later.
    stranger = Stranger(draw)
    ends = [
        subprocess.Popen(
            [patter, "bench", f"stream-{role}", *words, "--secs", str(seconds)],
            stdout=subprocess.PIPE, text=True) for role in ["server", "client"]]
    watches = [memory.Watch(end.pid, lambda words: words[2]) for end in ends]
    time.sleep(MARGIN)
    began = time.monotonic()
    stranger.attack(attempts, seconds - MARGIN - (began - started))
    took = time.monotonic() - began
    findings = []
    outputs = []
    for end, watch in zip(ends, watches):
        try:
            outputs.append(end.communicate(timeout=seconds + 30)[0])
        except subprocess.TimeoutExpired:
            end.kill()
            outputs.append(end.communicate()[0])
            findings.append(f"{end.args[2]} came to no end")
        watch.stop()
        findings += watch.findings([name for name in WATCHED if name == end.args[2]])
    print(f"  {stranger.sent} sent in {took:.1f} s, {stranger.answered} answered, "
          f"{stranger.opened} opened and never confirmed")
    if stranger.sent < attempts:
        findings.append(f"{stranger.sent} forged calls in {took:.0f} s, and not {attempts}")
    if stranger.answered < attempts // 2:
        findings.append(f"{stranger.answered} of {attempts} forged calls were answered")
    lines = [json.loads(line) for line in outputs[0].splitlines() if line.startswith("{")]
    for line in lines:
        print(f"  {json.dumps(line)}")
        if line.get("got") != line.get("expected"):
            findings.append(f"{line.get('got')} of {line.get('expected')} messages arrived")
    return findings if lines else findings + ["the server told nothing"]
