"""Network namespaces without names.

A namespace is held by an open file of this process and by what runs in it, and by nothing else. So
none is left over, however this process ends, and no two runs can meet.
"""
import contextlib
import ctypes
import os
import subprocess

_CLONE_NEWNET = 0x4000_0000
_OWN = "/proc/thread-self/ns/net"
_libc = ctypes.CDLL(None, use_errno=True)


class Namespace:
    """A network of its own: at first nothing but a loopback interface that is down."""

    def __init__(self):
        with _away(lambda: _check(_libc.unshare(_CLONE_NEWNET), "unshare")):
            self.handle = os.open(_OWN, os.O_RDONLY | os.O_CLOEXEC)

    @property
    def path(self):
        """What `ip link ... netns` takes."""
        return f"/proc/{os.getpid()}/fd/{self.handle}"

    @contextlib.contextmanager
    def entered(self):
        """What this thread opens or starts meanwhile is in the namespace, and stays there."""
        with _away(lambda: _check(_libc.setns(self.handle, _CLONE_NEWNET), "setns")):
            yield

    def ip(self, *commands, family=()):
        """Runs commands of iproute2, each as it would stand behind `ip`, or behind `ip -6` where
        that is the family."""
        text = "\n".join(commands) + "\n"
        with self.entered():
            done = subprocess.run(
                ["ip", *family, "-batch", "-"], input=text, capture_output=True, text=True,
                check=False)
        if done.returncode != 0:
            raise OSError(f"ip: {done.stderr.strip()} in: {'; '.join(commands)}")

    def sysctl(self, name, value):
        """Sets a kernel parameter below net, such as `ipv4.ip_forward`."""
        with self.entered(), open("/proc/sys/net/" + name.replace(".", "/"), "w") as file:
            file.write(str(value))

    def close(self):
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def reason_against():
    """Why no namespaces can be made here; `None` where they can."""
    try:
        namespace = Namespace()
        try:
            namespace.ip("link set lo up", "link add name switch type bridge")
        finally:
            namespace.close()
    except OSError as error:
        return str(error)
    return None


@contextlib.contextmanager
def _away(leave):
    """Changes the namespace of this thread by `leave`, and changes it back at the end."""
    own = os.open(_OWN, os.O_RDONLY | os.O_CLOEXEC)
    try:
        leave()
        try:
            yield
        finally:
            _check(_libc.setns(own, _CLONE_NEWNET), "setns back")
    finally:
        os.close(own)


def _check(result, call):
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{call}: {os.strerror(code)}")
