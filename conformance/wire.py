"""What libraries bring: base64, content encodings, multipart forms, and Amazon's event stream."""

import base64
import binascii
import gzip
import re
import struct
import zlib


def from_base64(texts):
    return base64.b64decode("".join(texts))


def to_base64(data):
    return base64.b64encode(data).decode()


def text_of(data):
    """The text that bytes are, or None."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def decoded(data, codings):
    """A body without its `content-encoding`; as it is, if it has none of it. A ValueError for one not known."""
    plain = data
    for coding in reversed(re.findall(r"[^,\s]+", codings.lower())):
        if coding not in ("gzip", "deflate"):
            raise ValueError("an encoding that is not known")
        try:
            plain = gzip.decompress(plain) if coding == "gzip" else zlib.decompress(plain)
        except (OSError, EOFError, zlib.error):
            return data
    return plain


def form_of(data, content_type):
    """The headers and the content of the parts of a multipart form, or None."""
    found = re.search(r'^\s*multipart/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))', content_type, re.I)
    boundary = b"\r\n--" + (found[1] or found[2]).encode() if found else b"--"
    first, *parts = (b"\r\n" + data).split(boundary)
    if not found or first or not parts or parts.pop().strip() != b"--":
        return None
    form = []
    for part in parts:
        head, _, content = part.partition(b"\r\n\r\n")
        lines = re.findall(r"(?m)^([\w-]+):[ \t]*(.*?)[ \t]*\r?$", head.decode("utf-8", "replace"))
        form.append(({name.lower(): value for name, value in lines}, content))
    return form


def frame(headers, payload):
    """A frame of texts as headers, and a payload."""
    lines = b""
    for name, value in headers.items():
        name, value = name.encode(), value.encode()
        lines += struct.pack(">B", len(name)) + name + struct.pack(">BH", 7, len(value)) + value
    message = struct.pack(">II", 16 + len(lines) + len(payload), len(lines))
    message += struct.pack(">I", binascii.crc32(message)) + lines + payload
    return message + struct.pack(">I", binascii.crc32(message))


def frames_of(data):
    """The headers and payloads of the frames of which a body consists, or None."""
    frames = []
    while data:
        length, size = struct.unpack(">II", data[:8]) if len(data) >= 16 else (0, 0)
        message, data, headers = data[:length], data[length:], {}
        lines, payload = message[12 : 12 + size], message[12 + size : -4]
        while lines:
            end = 1 + lines[0]
            stop = end + 3 + int.from_bytes(lines[end + 1 : end + 3], "big")
            value = lines[end + 3 : stop].decode("utf-8", "replace")
            headers[lines[1:end].decode("utf-8", "replace")], lines = value, lines[stop:]
        if length < 16 + size or frame(headers, payload) != message:
            return None
        frames.append((headers, payload))
    return frames or None
