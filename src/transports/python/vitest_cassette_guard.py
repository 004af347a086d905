"""Stops what a Python program sends past the gateway of vitest-cassette to a model: it could be neither recorded nor
replayed. The gateway decides, and tells the test. Loaded by sitecustomize.py; once loaded, it stays (PEP 578)."""
import errno
import os
import sys

FIRST = os.environ.get("VITEST_CASSETTE_GATEWAY", "")
known, told = {}, []


def judge(host, port, method="", path=""):
    """Why something may not be sent; nothing where it may."""
    place, _, token = (os.environ.get("VITEST_CASSETTE_GATEWAY") or FIRST).partition("/")
    host = host.decode("latin-1") if isinstance(host, bytes) else host
    key = (token, host, port, method, path)
    if not token or not host or not isinstance(host, str) or "%s:%s" % (host, port) == place:
        return ""
    if key not in known:
        is_here = host in ("localhost", "::1") or host.startswith("127.")
        try:
            known[key] = ask(place, token, {"host": host, "port": port or "", "method": method, "path": path})
        except OSError as error:
            why = "%s:%s is not asked: the gateway of vitest-cassette, which would answer, has ended (%s)"
            return "" if is_here else why % (host, port, error)
        if not (known[key] or method or is_here):
            allow(token, host, port)
    return known[key]


def ask(place, token, asked):
    import _socket
    from urllib.parse import urlencode

    command = getattr(sys, "orig_argv", None) or [sys.executable] + getattr(sys, "argv", [])
    asked.update(by=" ".join([os.path.basename(command[0])] + command[1:])[:200], at=caller())
    address, _, port = place.rpartition(":")
    connection = _socket.socket(_socket.AF_INET6 if ":" in address else _socket.AF_INET, _socket.SOCK_STREAM)
    try:
        connection.settimeout(60)
        connection.connect((address, int(port)))
        head = "GET /%s/direct?%s HTTP/1.0\r\nhost: localhost\r\n\r\n" % (token, urlencode(asked))
        connection.sendall(head.encode())
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
    finally:
        connection.close()
    return body.decode() if b" 403 " in head.split(b"\r\n")[0] else ""


def allow(token, name, port):
    """A name that may be asked is connected to by its addresses, which say nothing."""
    import _socket

    try:
        addresses = [one[4][0] for one in _socket.getaddrinfo(name, port)]
    except OSError:
        return
    known.update(((token, one, port, "", ""), "") for one in addresses if one != "::1" and one[:4] != "127.")


def caller():
    """The line of the program that connects, outside of all libraries."""
    frame, library = sys._getframe(), os.path.dirname(os.__file__)
    while frame:
        name = frame.f_code.co_filename
        if not name.startswith(("<", library, __file__)) and "-packages" not in name:
            return "%s:%d" % (name, frame.f_lineno)
        frame = frame.f_back
    return ""


def read(event, args):
    if event == "http.client.send" and isinstance(args[1], bytes):
        method, path = (args[1][:2000].decode("latin-1").split(" ", 2) + ["", ""])[:2]
        is_call = method in ("POST", "PUT", "PATCH")
        return judge(args[0].host, args[0].port, method, path.split("?")[0]) if is_call else ""
    if event == "socket.getaddrinfo":
        return judge(args[0], args[1])
    if event == "socket.gethostbyname":
        return judge(args[0], 443)
    is_sent = event in ("socket.connect", "socket.sendto", "socket.sendmsg") and isinstance(args[1], tuple)
    return judge(*args[1][:2]) if is_sent and len(args[1]) > 1 else ""


def hook(event, args):
    if not event.startswith(("socket.", "http.client.send")):
        return
    try:
        why = read(event, args)
    except Exception as error:
        if not told:
            sys.stderr.write("[vitest-cassette] the guard of this Python program failed: %r\n" % error)
        return told.append(error)
    if why:
        raise ConnectionRefusedError(errno.ECONNREFUSED, why)


if hasattr(sys, "addaudithook"):
    sys.addaudithook(hook)
