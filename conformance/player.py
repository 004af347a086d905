"""A player of cassettes, after docs/format.md, with nothing but the standard library of Python 3.9 or newer.

    python3 conformance/player.py conformance/cases/turns.json ...     plays cases, and prints a line of JSON for each

It refuses by name what it cannot do: the content codings `br` and `zstd`, rules of a user's own, and answers of written
exchanges in another format than chat completions.
"""
import base64, gzip, hashlib, json, re, struct, sys, zlib
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode

HERE = Path(__file__).resolve().parent
TABLES = json.loads((HERE / 'tables.json').read_text('utf-8'))
NUL, LONG, NONE = '\0', 1024, ...
sys.setrecursionlimit(20_000)


class Refused(Exception):
    """A file or a request is refused, for one of the reasons of "What must be refused"."""


class Unsupported(Exception):
    """This player cannot do what another one can."""


def need(condition, reason='body'):
    if not condition:
        raise Refused(reason)


def utf8(text):
    """UTF-8, in which half a surrogate pair is U+FFFD."""
    return re.sub('[\ud800-\udfff]', '\ufffd', text).encode()


def sha(data, digits=64):
    return hashlib.sha256(data if isinstance(data, bytes) else utf8(data)).hexdigest()[:digits]


def utf16(text):
    """The units by which texts are sorted and measured."""
    return text.encode('utf-16-be', 'surrogatepass')


def any_of(texts):
    """An expression of texts, the longest first."""
    return '|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))


def expression(source, flags=''):
    """An expression of tables.json: `\\d`, `\\w` and `\\b` are ASCII in ECMAScript, `\\s` is not."""
    spaces = ' \t\n\v\f\r\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
    bare = re.sub(r'(\[(?:\\.|[^\]])*\])|\\s', lambda m: m[1] or '[%s]' % spaces, source)
    return re.compile(re.sub(r'\\s', spaces, bare), re.ASCII | (re.IGNORECASE if 'i' in flags else 0))


# JSON, whose numbers keep their spelling


class Num:
    """A number as it is spelled."""

    def __init__(self, spelling):
        self.spelling = spelling

    def __int__(self):
        return int(float(self.spelling))

    def __eq__(self, other):
        return isinstance(other, Num) and self.spelling == other.spelling

    def __hash__(self):
        return hash(self.spelling)


def parse(text, unique=False):
    def pairs(items):
        found = dict(items)
        if unique and len(found) < len(items):
            raise ValueError('a key twice')
        return {key: found[key] for key in in_order(found)}

    def constant(name):
        raise ValueError(name)
    return json.loads(text, parse_int=Num, parse_float=Num, parse_constant=constant, object_pairs_hook=pairs)


def parsed(text, unique=True):
    """The value of a text, or NONE if it is no JSON, or has a key twice."""
    try:
        value = parse(text, unique)
    except ValueError:
        return NONE
    except RecursionError:
        raise Refused('unmatched') from None
    need(levels(value) <= 1001, 'unmatched')
    return value


def levels(value):
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inside is None else 1 + max(map(levels, inside), default=0)


def in_order(keys):
    """Keys in the order of an object in ECMAScript: whole numbers first."""
    whole = [key for key in keys if re.fullmatch('0|[1-9][0-9]{0,9}', key) and int(key) <= 4294967294]
    return sorted(whole, key=int) + [key for key in keys if key not in whole] if whole else list(keys)


def write(value, layout={}):
    step = ' ' * int(layout.get('indent', 0))
    comma = ', ' if layout.get('spacedItems') and not step else ','
    colon = ': ' if layout.get('spacedKeys') or step else ':'
    escaped = '[\x80-\U0010ffff]' if layout.get('ascii') else '[\ud800-\udfff]'

    def text_of(text):
        units = lambda found: re.sub('....', r'\\u\g<0>', utf16(found[0]).hex())
        return re.sub(escaped, units, json.dumps(text, ensure_ascii=False))

    def at(value, indent):
        if isinstance(value, dict):
            items = [text_of(key) + colon + at(value[key], indent + step) for key in in_order(value)]
        elif isinstance(value, list):
            items = [at(item, indent + step) for item in value]
        elif isinstance(value, str):
            return text_of(value)
        else:
            return value.spelling if isinstance(value, Num) else json.dumps(value)
        start, end = '{}' if isinstance(value, dict) else '[]'
        if not items or not step:
            return start + comma.join(items) + end
        inner = '\n' + indent + step
        return start + inner + (comma + inner).join(items) + '\n' + indent + end
    text = at(value, '')
    return text[:-1] + ' ' * int(layout.get('pad', 0)) + text[-1] + layout.get('end', '')


# The file: the form of each field. A text is an expression, and a name that ends with ? may be missing


def between(low, high):
    return lambda value: isinstance(value, Num) and float(value.spelling).is_integer() and low <= int(value) <= high


def each(form, names=''):
    """An object that has values of one form."""
    return lambda value: isinstance(value, dict) and all(fits(k, names) and fits(v, form) for k, v in value.items())


ANY, TRUE, OBJECT = (lambda value: True), (lambda value: value is True), (lambda value: isinstance(value, dict))
NUMBER = lambda value: isinstance(value, Num)
COUNT = lambda value: isinstance(value, Num) and 0 <= float(value.spelling) < float('inf')
PLACE = between(0, 2**53)
TEXT = ('', {'$text': ['']})
TIME = r'\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z'
HEADER = r'[\t\x20-\x7e\x80-\xff]*'
HASH, ANSWER_HASH, FILE_HASH = 'sha256-[0-9a-f]{64}', 'sha256-[0-9a-f]{32}', 'sha256-[0-9a-f]{32}-[0-9a-f]{32}'
TOKENS = 'input output cache_read_input cache_creation_input reasoning_output'
LAYOUT = {'indent?': between(1, 16), 'spacedItems?': bool, 'spacedKeys?': bool, 'ascii?': bool,
          'pad?': between(1, 1000), 'end?': r'[ \t\r\n]{1,1000}'}
SPELLING = {'body?': ANY, 'layout?': LAYOUT, 'eol?': r'\r?\n'}
SAID = {
    'reasoning?': TEXT, 'tool_calls?': [{'tool_name': '', 'parameters?': ANY, 'result?': ANY}], 'finish_reasons?': [''],
    'usage?': {name + '_tokens?': COUNT for name in TOKENS.split()}, 'error?': '', 'incomplete?': bool,
    'duration_ms?': COUNT, 'status?': between(400, 599)}
IMPORTED = {
    'from': '[a-z][a-z0-9-]*', 'unknown?': ['method|host|path|headers|body'], 'kind?': 'json|form', 'respelled?': TRUE,
    'redacted?': [r'(?s).{3,}']}
REQUEST = {
    'method': r"[\w!#$%&'*+.^`|~-]+", 'url': r'(https?|wss?|mcp):\S+', 'headers?': each(HEADER, TABLES['headers']['stored']),
    'imported?': IMPORTED, 'after?': '', **SPELLING}
ANSWER = {
    'status': between(200, 599), 'headers': each(HEADER, any_of(TABLES['headers']['of_answers'])), 'hash?': ANSWER_HASH,
    'cut?': bool, 'aborted?': ('before-headers', PLACE), **SPELLING}
RECORDED = {
    'id': '', 'prompt': {'text': TEXT, 'metadata': OBJECT, 'hash?': HASH},
    'response': {'text': TEXT, 'kept?': TRUE, 'mocked?': TRUE, **SAID}, 'wire': {'request': REQUEST, 'response?': ANSWER}}
WRITTEN = {
    'id?': '', 'prompt': {'text': TEXT, 'metadata?': OBJECT, 'hash?': ''}, 'response': {'text?': TEXT, **SAID}}
PARAMS = each(('', NUMBER), r'[A-Za-z_]\w*')
FILE = {
    '$schema?': '', 'version': r'1\.[0-9]+', 'conversation_id': '', 'timestamp': TIME, 'oldest_answer?': TIME,
    'invalid?': {'reason': '(?s).+', 'since': TIME}, 'params?': PARAMS, 'proposed_params?': PARAMS,
    'file_hash?': FILE_HASH, 'hashes?': each({'prompt': HASH, 'answer?': ANSWER_HASH}),
    'exchanges': [(RECORDED, WRITTEN)]}


def fits(value, form):
    if isinstance(form, dict):
        known = {name.rstrip('?'): (item, name.endswith('?')) for name, item in form.items()}
        return isinstance(value, dict) and set(value) <= set(known) and all(
            fits(value[name], item) if name in value else optional for name, (item, optional) in known.items())
    if isinstance(form, list):
        return isinstance(value, list) and all(fits(item, form[0]) for item in value)
    if isinstance(form, tuple):
        return any(fits(value, one) for one in form)
    if isinstance(form, str):
        return isinstance(value, str) and (not form or re.fullmatch(form, value, re.ASCII) is not None)
    return isinstance(value, bool) if form is bool else bool(form(value))


def read_file(data):
    """The file and its exchanges, each with its id."""
    try:
        file = parse(data.decode('utf-8').lstrip('\ufeff'))
        need(len(data) <= 32 << 20 and levels(file) <= 1001, 'json')
    except (ValueError, RecursionError):
        raise Refused('json') from None
    version = file.get('version') if isinstance(file, dict) else None
    major = re.match('[0-9]+', version) if isinstance(version, str) else None
    need(not major or int(major[0]) <= 1, 'version')
    need(fits(file, FILE), 'field')
    exchanges = [{'id': 'exchange-%d' % place, **one} for place, one in enumerate(file['exchanges'], 1)]
    ids = {}
    for one in exchanges:
        answer = one.get('wire', {}).get('response', {})
        bodiless = int(answer.get('status', 0)) in (204, 205, 304)
        need(not bodiless or not ('body' in answer or answer.get('cut')), 'field')
        need('wire' in one or {'text', 'tool_calls', 'error'} & set(one['response']), 'field')
        need(one['id'] not in ids or 'wire' in one and ids[one['id']], 'ids')
        ids[one['id']] = 'wire' in one
    need(int(version[2:]) >= 3 or not any('wire' in one for one in exchanges), 'version')
    return file, exchanges


# References


def pointer(text):
    return [part.replace('~1', '/').replace('~0', '~') for part in text.split('/')[1:]]


def follow(value, keys, reason='reference'):
    for key in keys:
        if isinstance(value, list) and re.fullmatch('0|[1-9][0-9]*', str(key)) and int(key) < len(value):
            value = value[int(key)]
        else:
            need(isinstance(value, dict) and key in value, reason)
            value = value[key]
    return value


class References:
    """Resolves references to what was read of the exchanges before."""

    def __init__(self):
        self.seen, self.steps, self.characters, self.sizes = {}, 0, 0, {}

    def size(self, value):
        if not isinstance(value, (dict, list)):
            return len(value) if isinstance(value, str) else 0
        if id(value) not in self.sizes:
            inside = value.values() if isinstance(value, dict) else value
            self.sizes[id(value)] = sum(map(self.size, inside)), value
        return self.sizes[id(value)][0]

    def count(self, steps, found=''):
        self.steps += steps
        need(self.steps <= 4194304, 'reference')
        self.characters += self.size(found)
        need(self.characters <= 536870912, 'reference')

    def target(self, reference, place):
        form = {'$same': '', 'at?': '(/[^/]*)*', 'count?': between(1, 2**53), 'from?': PLACE}
        need(fits(reference, form) and reference['$same'] in self.seen, 'reference')
        place = pointer(reference['at']) if 'at' in reference else place
        self.count(len(place))
        return follow(self.seen[reference['$same']], place)

    def items(self, reference, place):
        found = self.target(reference, place)
        start, count = int(reference.get('from', 0)), int(reference['count'])
        need(isinstance(found, list) and start + count <= len(found), 'reference')
        found = found[start:start + count]
        self.count(count, found)
        return found

    def resolve(self, value, place):
        if isinstance(value, list):
            out = []
            for item in value:
                if isinstance(item, dict) and '$same' in item and 'count' in item:
                    out += self.items(item, place)
                else:
                    out.append(self.resolve(item, place + [str(len(out))]))
            return out
        if not isinstance(value, dict):
            return value
        if isinstance(value.get('$json'), dict):
            return {**value, '$json': {key: self.resolve(item, place + ['$json', key])
                                       for key, item in value['$json'].items()}}
        if '$same' in value:
            need('count' not in value and 'from' not in value, 'reference')
            found = self.target(value, place)
            self.count(0, found)
            return found
        return {key: self.resolve(item, place + [key]) for key, item in value.items()}


# Bodies of the file: a kind (empty, json, text, bytes, events, lines, frames, form) and its content


NAMED = {'event?': '', 'data': ANY, 'pad?': between(1, 1000)}
FRAMES = ({'bytes': ''}, {'event': '', 'data': ANY}, {'event': '', 'data': OBJECT, 'chunk': ANY},
          {'headers': each(''), 'data': ANY}, {'headers': each(''), 'data': OBJECT, 'chunk': ANY})
ITEMS = {'$events': ('', NAMED), '$lines': ('', OBJECT), '$frames': FRAMES, '$form': OBJECT}


def unrolled(items):
    """Items with their runs written out."""
    for item in items:
        if not isinstance(item, dict) or 'next' not in item:
            yield item
            continue
        columns = item['next']
        need(isinstance(columns, dict) and columns and all(isinstance(column, list) for column in columns.values()))
        lengths = {len(column) for column in columns.values()}
        need(len(lengths) == 1 and min(lengths) >= 1)
        first = {key: value for key, value in item.items() if key != 'next'}
        yield first
        for n in range(min(lengths)):
            again = first
            for path, values in columns.items():
                again = replaced_at(again, pointer(path), values[n])
            yield again


def replaced_at(value, keys, leaf):
    if not keys:
        return leaf
    inner = replaced_at(follow(value, keys[:1], 'body'), keys[1:], leaf)
    if isinstance(value, list):
        return value[:int(keys[0])] + [inner] + value[int(keys[0]) + 1:]
    return {**value, keys[0]: inner}


def joined(value):
    """Texts are joined as UTF-16: two of them can hold the halves of one character."""
    need(fits(value, ('', [''])))
    return value if isinstance(value, str) else utf16(''.join(value)).decode('utf-16-be', 'surrogatepass')


class Reader:
    """Reads the bodies of a file, in their order."""

    def __init__(self, blobs):
        self.blobs, self.references = blobs, References()

    def blob(self, name):
        need(re.fullmatch(r'[0-9a-f]{64}\.[a-z0-9]{2,5}', name) and name in self.blobs, 'blob')
        need(sha(self.blobs[name]) == name[:64], 'blob')
        return base64.b64encode(self.blobs[name]).decode()

    def value(self, value):
        """What a value stands for, when its references are resolved."""
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if not isinstance(value, dict):
            return value
        if isinstance(value.get('$json'), dict):
            need(len(value) == 1)
            return {key: self.value(item) for key, item in value['$json'].items()}
        if isinstance(value.get('$blob'), str):
            need(fits(value, {'$blob': '', 'prefix?': ''}))
            return value.get('prefix', '') + self.blob(value['$blob'])
        if '$text' in value:
            need(fits(value, {'$text': ['']}))
            return joined(value['$text'])
        if '$stringified' in value:
            need(fits(value, {'$stringified': ANY, 'layout?': LAYOUT}))
            return write(self.value(value['$stringified']), value.get('layout', {}))
        return {key: self.value(item) for key, item in value.items()}

    def body(self, half, of, seen):
        """The body of a request or an answer; puts what references see of it into `seen`."""
        if 'body' not in half:
            return 'empty', None
        body, place = half['body'], ['wire', of, 'body']
        kind = next(iter(body), None) if isinstance(body, dict) else None
        if kind not in ('$text', '$base64', *ITEMS):
            seen['body'] = self.references.resolve(body, place)
            return 'json', self.value(seen['body'])
        need(len(body) == 1 and kind != ('$events' if of == 'request' else '$form'))
        content = body[kind]
        if kind == '$text':
            return 'text', joined(content)
        if kind == '$base64':
            return 'bytes', base64.b64decode(joined(self.value(content)))
        need(isinstance(content, list))
        items = list(unrolled(content)) if kind in ('$events', '$frames') else list(content)
        need(all(fits(item, ITEMS[kind]) for item in items))
        seen['body'] = []

        def read(value):
            seen['body'].append(self.references.resolve(value, place + [str(len(seen['body']))]))
            return self.value(seen['body'][-1])
        if kind in ('$events', '$frames'):
            return kind[1:], [item if isinstance(item, str) else {**item, **{
                key: read(item[key]) for key in ('data', 'chunk') if key in item}} for item in items]
        return kind[1:], [item if isinstance(item, str) else read(item) for item in items]


# The bytes of a body


def frame(item):
    if 'bytes' in item:
        return base64.b64decode(item['bytes'])
    headers = item.get('headers') or {
        ':event-type': item['event'], ':content-type': 'application/json', ':message-type': 'event'}
    data = item['data']
    if 'chunk' in item:
        chunk = item['chunk'] if isinstance(item['chunk'], str) else write(item['chunk'])
        data = {'bytes': base64.b64encode(utf8(chunk)).decode(), **data}
    payload = utf8(data if isinstance(data, str) else write(data))
    head = b''
    for name, value in headers.items():
        head += struct.pack('>B', len(utf8(name))) + utf8(name) + struct.pack('>BH', 7, len(utf8(value))) + utf8(value)
    whole = struct.pack('>II', len(head) + len(payload) + 16, len(head))
    whole += struct.pack('>I', zlib.crc32(whole)) + head + payload
    return whole + struct.pack('>I', zlib.crc32(whole))


def event(item, layout, eol):
    if isinstance(item, str):
        return item
    spelled = {**layout, 'pad': item['pad']} if 'pad' in item else layout
    data = item['data'] if isinstance(item['data'], str) else write(item['data'], spelled)
    return ('event: ' + item['event'] + eol if 'event' in item else '') + 'data: ' + data + eol + eol


def pieces(body, layout={}, eol='\n'):
    kind, content = body
    if kind == 'events':
        return [utf8(event(item, layout, eol)) for item in content]
    if kind == 'lines':
        return [utf8(item if isinstance(item, str) else write(item, layout) + eol) for item in content]
    if kind == 'frames':
        return [frame(item) for item in content]
    if kind == 'bytes':
        return [content]
    return [] if kind == 'empty' else [utf8(content if kind == 'text' else write(content, layout))]


# What counts of a request: the address


def address(url):
    """Host, path and parameters of an address, by the WHATWG URL standard. A host counts as it is spelled."""
    scheme, rest = re.fullmatch('([A-Za-z][A-Za-z0-9+.-]*):(.*)', re.sub('[\t\r\n]', '', url.strip())).groups()
    special = scheme.lower() != 'mcp'
    parts = re.match(r'//([^/?#]*)([^?#]*)(?:\?([^#]*))?', rest.replace('\\', '/') if special else rest)
    host = re.sub(':[0-9]*$', '', parts[1].rpartition('@')[2])
    if special:
        host = unquote(host).encode('idna').decode().lower()
    segments, names = [], parts[2].split('/')[1:]
    for place, name in enumerate(names, 1):
        dots = name.lower().replace('%2e', '.')
        if dots == '..':
            segments[-1:] = []
        elif dots != '.':
            segments.append(name)
        if dots in ('.', '..') and place == len(names):
            segments.append('')
    path = '/' + '/'.join(segments) if names or special else ''
    return host, quote(path, "/%!$&'()*+,-.:;=@[\\]_|~"), parse_qsl(parts[3] or '', keep_blank_values=True, errors='surrogateescape')


def is_kept(name):
    return name.lower() in TABLES['query']['kept']


def is_credential(name):
    """Whether the name of a parameter is that of a credential."""
    table = TABLES['query']
    words = re.sub('([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])', r'\1\2 ', name).lower()
    words = re.sub('[^a-z]+', ' ', words).strip()
    return any(expression(**table[key]).search(text) for key, text in (('signed', name), ('credential', words)))


def query_of(host, query, hidden=()):
    """The parameters that count."""
    for name, value in query:
        is_login = name.lower() == 'code' and (
            host.endswith('.azurewebsites.net') or not (len(value) < 20 or re.search(r'\s', value)))
        if is_kept(name):
            yield name, value
        elif is_login or name.lower() != 'code' and is_credential(name):
            continue
        else:
            yield name, value if re.fullmatch('[0-9a-f]{12}|REDACTED', value) else digest(value, hidden)


def digest(value, hidden=()):
    """The digest of a value without the credentials in it."""
    for secret in sorted(hidden, key=len, reverse=True):
        value = value.replace(secret, 'REDACTED')
    if re.search('[\udc80-\udcff]', value):
        value = NUL + urlencode({'': value}, errors='surrogateescape')[1:]
    return value if value == 'REDACTED' else sha(value, 12)


# What counts of a request: the headers


def a_set(items):
    return ', '.join(sorted({item.strip() for item in items} - {''}, key=utf16))


JSON_LINES = r'application/(x-ndjson|json-?l(ines)?)'
USUAL = (r'\*/\*|multipart/.*|text/(plain|json)|application/(([\w.-]+\+)?json|octet-stream|x-www-form-urlencoded)|'
         + JSON_LINES)


def formats(value):
    kept = []
    for item in value.lower().split(','):
        kind, *params = [part.strip() for part in item.split(';')]
        params = sorted(part for part in params if part and not re.match('(q|charset|boundary)=', part))
        if re.fullmatch(r'[\w.+-]+/[\w.+-]+', kind, re.ASCII) and not re.fullmatch(USUAL, kind, re.ASCII):
            kept.append(';'.join([kind, *params]))
    return a_set(kept)


def accepted(value):
    only = re.sub(' *; *(q|charset)=[^;]*', '', value.lower()).strip()
    alone = r'text/plain|application/(.+\+json|json *;.*)|' + JSON_LINES
    return only if ',' not in value and re.fullmatch(alone, only) else formats(value)


def reading_of(name):
    table = TABLES['headers']
    if name in table['known']:
        return table['known'][name]
    return 'digest' if re.search(table['family'], name) else 'address' if re.search(table['address'], name) else 'text'


def without_credentials(value):
    if isinstance(value, dict):
        return {key: '<REDACTED:%s>' % key if isinstance(value[key], str) and is_credential(key) else
                without_credentials(value[key]) for key in sorted(value, key=utf16)}
    if isinstance(value, Num):
        return Num(ecma_number(value.spelling) or 'null')
    return [without_credentials(item) for item in value] if isinstance(value, list) else value


PROTOCOLS = 'sec-websocket-protocol'
BYTES = {'content-type': 'application/octet-stream'}


def named_host(value):
    """The name in a header `host`; the header itself if it is none."""
    is_name = re.fullmatch(r'([^\s/?#@:\[\]]+|\[[0-9A-Fa-f:.]+\])(:[0-9]*)?', value)
    return re.sub(r'\.$', '', address('http://' + value)[0]) if is_name else value


def protocols(value, hidden):
    """The subprotocols of a socket that are no credentials."""
    offered, kept = [item.strip() for item in value.split(',') if item.strip()], []
    for before, item in zip([''] + offered, offered):
        is_beside = any(is_credential(name) or re.search('(organization|project)$', name) for name in item.split('.')[:-1])
        if '.' not in before and is_credential(before) or is_beside or digest(item, hidden) == 'REDACTED':
            continue
        if all(re.fullmatch('[A-Za-z]{0,20}|[A-Za-z0-9]{0,7}', word) for word in re.split('[^A-Za-z0-9]+', item)):
            kept.append(item)
    return ', '.join(kept)


def header(name, value, hidden=(), host=''):
    """The reading of a header of a request to a host."""
    reading = reading_of(name)
    if reading == 'host':
        named = named_host(value)
        return '' if endpoint(named) == endpoint(host) else named
    if reading == 'protocols':
        return protocols(value, hidden)
    if reading in ('set', 'lower-case set'):
        return a_set((value if reading == 'set' else value.lower()).split(','))
    if reading in ('formats', 'accepted'):
        return (formats if reading == 'formats' else accepted)(value)
    if reading == 'json':
        found = parsed(value, unique=False)
        return value if found is NONE else write(without_credentials(found))
    if reading == 'address':
        if re.match('(https?|wss?)://[^/?#]', value):
            host, path, _ = address(value)
            return re.sub(r'^(127(\.[0-9]+){3}|\[::1\])$', 'localhost', host) + path
        return 'digest ' + digest(value, hidden)
    return value and 'digest ' + digest(value, hidden) if reading == 'digest' else value


# What counts of a request: the body


PART = r'(?:^|;)\s*([^=;\s]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))'
PART_HEADERS = ['content-' + name for name in
                ('description', 'encoding', 'id', 'language', 'location', 'transfer-encoding')]


def form_part(head, content):
    fields = {}
    for line in head.decode().split('\r\n'):
        name, colon, value = line.partition(':')
        if colon:
            fields[name.strip().lower()] = value.strip()
    named = {key.lower(): re.sub(r'\\(.)', r'\1', quoted or bare).strip()
             for key, quoted, bare in re.findall(PART, fields.get('content-disposition', ''))}
    part = {key: named[key] for key in ('name', 'filename') if key in named}
    if 'content-type' in fields:
        part['type'] = fields['content-type']
    others = {name: fields[name].lower() if name.endswith('encoding') else fields[name]
              for name in PART_HEADERS if name in fields}
    others = {name: value for name, value in others.items()
              if not (name.endswith('encoding') and value in ('7bit', '8bit', 'binary', 'identity'))}
    if others:
        part['headers'] = others
    try:
        part['text'] = content.decode()
    except UnicodeDecodeError:
        part['base64'] = base64.b64encode(content).decode()
    return part


def read_form(data, kind):
    """The parts of a form, or None if it is none, or is cut."""
    boundary = re.match(r'(?is)multipart/.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))', kind)
    border = b'\r\n--' + (boundary[1] or boundary[2]).encode() if boundary else b''
    if not boundary or not (b'\r\n' + data).startswith(border):
        return None
    parts = (b'\r\n' + data).split(border)[1:]
    end = next((n for n, part in enumerate(parts) if part.startswith(b'--')), None)
    if end is None or not all(b'\r\n\r\n' in part for part in parts[:end]):
        return None
    return [form_part(*part[2:].split(b'\r\n\r\n', 1)) for part in parts[:end]]


def opened(data):
    """A payload as JSON if it is compact JSON, else as its text."""
    text = data.decode()
    value = parsed(text, unique=False)
    return value if isinstance(value, (dict, list)) and write(value) == text else text


def read_frame(whole):
    """A frame in the shape that a file has for it."""
    try:
        head, rest = struct.unpack('>I', whole[4:8])[0], {}
        at, end = 12, 12 + struct.unpack('>I', whole[4:8])[0]
        while at < end:
            size = whole[at]
            name, at = whole[at + 1:at + 1 + size].decode(), at + 2 + size
            size = struct.unpack('>H', whole[at:at + 2])[0]
            rest[name], at = whole[at + 2:at + 2 + size].decode(), at + 2 + size
        data = opened(whole[12 + head:-4])
        item = {'headers': rest, 'data': data}
        if list(rest) == [':event-type', ':content-type', ':message-type'] and list(rest.values())[1:] == [
                'application/json', 'event']:
            item = {'event': rest[':event-type'], 'data': data}
            if isinstance(data, dict) and isinstance(data.get('bytes'), str):
                others = {key: value for key, value in data.items() if key != 'bytes'}
                chunk = opened(base64.b64decode(data['bytes']))
                with_chunk = {**item, 'chunk': chunk, 'data': others}
                item = with_chunk if not isinstance(chunk, list) and frame(with_chunk) == whole else item
        if frame(item) == whole:
            return item
    except (ValueError, IndexError, struct.error):
        pass
    return {'bytes': base64.b64encode(whole).decode()}


def read_frames(data):
    items = []
    while data:
        size = struct.unpack('>I', data[:4])[0] if len(data) >= 16 else 0
        if not 16 <= size <= len(data) or struct.unpack('>I', data[8:12])[0] != zlib.crc32(data[:8]):
            size = len(data)
            if not items:
                return None
        items.append(read_frame(data[:size]))
        data = data[size:]
    return items if any('bytes' not in item for item in items) else None


def read_lines(text):
    """The lines of JSON lines, or None if it is something else."""
    lines = re.findall('[^\n]*\n|[^\n]+$', text)
    if not text.startswith('{') or len(lines) < 2:
        return None
    values = [parsed(line, unique=False) for line in lines]
    if not all(isinstance(value, dict) for value in values):
        return None
    eol = '\r\n' if lines[0].endswith('\r\n') else '\n'
    longest, value = max(zip(lines, values), key=lambda pair: len(utf16(pair[0])))
    pad = Num(str(len(re.search(r'( *)}\s*$', longest)[1])))
    layouts = [{'spacedItems': n & 1, 'spacedKeys': n & 2, 'ascii': n & 4, 'pad': pad} for n in range(8)]
    layout = next((one for one in layouts if write(value, one) == longest.rstrip('\r\n')), {})
    same = [write(value, layout) + eol == line for value, line in zip(values, lines)]
    return None if not all(same[:-1]) else values if same[-1] else values[:-1] + lines[-1:]


def decoded(data, codings):
    """A body without its content codings, or as it is if it cannot be decoded."""
    whole = data
    for coding in reversed([one.strip() for one in codings.lower().split(',')]):
        if coding in ('br', 'zstd'):
            raise Unsupported('the content coding ' + coding)
        try:
            if coding in ('gzip', 'x-gzip', 'deflate'):
                data = zlib.decompress(data) if coding == 'deflate' else gzip.decompress(data)
            elif coding not in ('', 'identity'):
                return whole
        except (OSError, EOFError, zlib.error):
            return whole
    return data


def read_body(data, headers):
    data = decoded(data, headers.get('content-encoding', ''))
    form = read_form(data, headers.get('content-type', ''))
    if form is not None:
        return 'form', form
    if not data:
        return 'empty', None
    frames = read_frames(data)
    if frames:
        return 'frames', frames
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return 'bytes', data
    value = parsed(text)
    if isinstance(value, (dict, list)):
        return 'json', value
    lines = read_lines(text)
    return ('lines', lines) if lines else ('text', text)


# The texts of a body, and what replaces pieces of them


def channel_in(channel, owner):
    """The channel of the texts in an object: it has the numbers of the part that streams."""
    table = TABLES['streams']
    is_counted = any(name in owner for name in table['counted']) or (
        'contentBlockIndex' in owner and isinstance(owner.get('delta'), dict) and 'text' in owner['delta'])
    if is_counted:
        return channel
    for key, value in owner.items():
        if isinstance(value, Num) and re.search(table['numbers'], key):
            channel += '#' + value.spelling
    return channel + ' thought' if owner.get('thought') is True else channel


def walk(value, visit, channel=None):
    """A value with each key, text and number as `visit` returns it. A piece of a text that streams has a channel."""
    if isinstance(value, (str, Num)):
        return visit(value, channel if isinstance(value, str) else None)
    if isinstance(value, list):
        places = ['[]' if isinstance(item, dict) and 'index' in item else '[%d]' % n for n, item in enumerate(value)]
        return [walk(item, visit, channel and channel + place) for place, item in zip(places, value)]
    if isinstance(value, dict):
        inside = channel and channel_in(channel, value)
        return {visit(key, None): walk(item, visit, inside and inside + '.' + key) for key, item in value.items()}
    return value


def walk_data(value, visit, name=''):
    """The data of an event, a line or a frame."""
    if not isinstance(value, dict):
        return walk(value, visit, name + '.data' if isinstance(value, str) else None)
    kind = value.get('type', value.get('event_type'))
    typed = isinstance(value.get('type'), str) and isinstance(value.get('id'), str)
    parts = (name, kind if isinstance(kind, str) else '', value['id'] if typed else '')
    return walk(value, visit, '%s %s %s' % parts)


def walk_body(body, visit):
    kind, content = body
    if kind in ('empty', 'bytes'):
        return body
    if kind in ('json', 'text', 'form'):
        return kind, walk(content, visit)
    if kind == 'lines':
        return kind, [walk(item, visit) if isinstance(item, str) else walk_data(item, visit) for item in content]
    return kind, [walk(item, visit) if isinstance(item, str) or 'bytes' in item else {
        key: walk_data(value, visit, item.get('event', '')) if key in ('data', 'chunk') else
        walk(value, visit) if key in ('event', 'headers') else value
        for key, value in item.items()} for item in content]


def in_turn(spans):
    """Of pieces that overlap, the first, and then the longest."""
    end = 0
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if span[0] >= end and span[1] > span[0]:
            end = span[1]
            yield span


def with_spans(text, spans):
    for start, end, new in reversed(list(in_turn(spans))):
        if isinstance(new, Num):
            return new
        text = text[:start] + new + text[end:]
    return text


def is_json_text(text):
    return re.match(r'\s*[\[{]', text) is not None and isinstance(parsed(text, unique=False), (dict, list))


def spans_in(text, find):
    """The pieces of a text, each with what replaces it. In a text that is JSON, those of its texts and numbers."""
    if not is_json_text(text):
        return list(in_turn(find(text)))
    spans = []
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*', text):
        start, end = token.span()
        if token[0][0] != '"':
            new = with_spans(token[0], find(token[0], True))
            spans.append((start, end, new if isinstance(parsed(new), Num) else json.dumps(new)))
            continue
        units = re.findall(r'\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|.', token[0][1:-1], re.S)
        offsets = [start + 1]
        for unit in units:
            offsets.append(offsets[-1] + len(unit))
        for low, high, new in spans_in(json.loads(token[0]), find):
            is_number = isinstance(new, Num)
            spans.append((start, end, new.spelling) if is_number else (
                offsets[low], offsets[high], json.dumps(new, ensure_ascii=False)[1:-1]))
    return spans


def spread(texts, spans):
    """Texts that are one, with pieces replaced: the text in which a piece begins has what replaces it."""
    out, at, spans = [], 0, list(in_turn(spans))
    for place, text in enumerate(texts):
        new, here, end = '', at, at + len(text)
        for low, high, other in spans:
            if at <= low < end:
                new += ''.join(texts)[here:low] + other
            if low < end:
                here = max(here, high)
        out.append(new + ''.join(texts)[here:end])
        at = end
    return out


def in_stream(texts, name, find):
    """The pieces of a text that streams, with what replaces pieces of the whole."""
    alone = [spans_in(text, find) for text in texts]
    is_text = name.rpartition('.')[2] in TABLES['streams']['pieces']
    if not is_text and len(set(texts)) == 1:
        return [with_spans(text, spans) for text, spans in zip(texts, alone)]
    whole, at = spans_in(''.join(texts), find), 0
    if not is_text and not is_json_text(''.join(texts)):
        for text, spans in zip(texts, alone):
            whole += [(at + low, at + high, new) for low, high, new in spans
                      if all(at + high <= a or b <= at + low for a, b, _ in whole)]
            at += len(text)
    return spread(texts, whole)


def replace_texts(body, find):
    """A body with pieces of its texts replaced: `find` returns (start, end, new) of each in a text, or in a number."""
    found, streams = [], defaultdict(list)

    def note(text, channel):
        if isinstance(text, Num):
            new = with_spans(text.spelling, find(text.spelling, True))
            found.append(Num(new) if isinstance(parsed(new), Num) else new)
        elif channel is None:
            found.append(with_spans(text, spans_in(text, find)))
        else:
            streams[channel].append(len(found))
            found.append(text)
        return text
    walk_body(body, note)
    for name, places in streams.items():
        for place, text in zip(places, in_stream([found[place] for place in places], name, find)):
            found[place] = text
    rest = iter(found)
    return walk_body(body, lambda text, channel: next(rest))


def whole_words(table):
    """Finds texts as whole words, and replaces them."""
    before, after = r'(?<![^\W_])', r'(?![^\W_])'
    words = '|'.join((before if old[0].isalnum() else '') + re.escape(old) + (after if old[-1].isalnum() else '')
                     for old in sorted(table, key=len, reverse=True))
    pattern = re.compile(words)
    return lambda text, is_number=False: [(m.start(), m.end(), table[m[0]]) for m in pattern.finditer(text)]


# Placeholders


def everywhere(value, change):
    """A value with each text and each key changed."""
    if isinstance(value, dict):
        return {change(key): everywhere(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(everywhere(item, change) for item in value)
    return change(value) if isinstance(value, str) else value


def is_secret(value):
    harmless = r'(?is)[\d.,:-]+|true|false|null|undefined|(\.{0,2}|~)/.*|[a-z]:\\.*|https?://.*'
    mixed = re.search('[0-9]', value) and re.search('[A-Za-z]', value)
    return not re.fullmatch(harmless, value) and (len(value) >= 16 or len(value) >= 8 and bool(mixed))


def names_secret(name):
    """Whether a variable or header has the name of a credential."""
    table = TABLES['secrets']
    words = re.sub('([a-z0-9])([A-Z])', r'\1 \2', name).lower()
    words = re.sub('[^a-z0-9]+', ' ', words).strip()
    return re.search(table['names'], words) is not None and not re.search(table['but'], words)


def hidden_texts(headers, host, query, env):
    """The credentials of the environment, and those that a request was sent with, and their placeholders."""
    sent = {(value.partition(' ')[2] or value): name for name, value in headers.items() if names_secret(name)}
    sent.update((value, name.lower()) for name, value in query if not is_kept(name) and is_credential(name))
    sent.update((value, name) for name, value in env.items() if names_secret(name))
    return {value: '<REDACTED:%s>' % name for value, name in sent.items() if is_secret(value)}


OAUTH = ('access_token assertion client_assertion client_secret code code_verifier device_code id_token password '
         'refresh_token subject_token').split()
GRANT = r'authorization_code|client_credentials|implicit|password|refresh_token|urn:\S+|https?:\S+'
PROMPT = 'model messages prompt input contents tools system instructions'.split()


def is_token_request(fields):
    grant = fields.get('grant_type')
    is_flat = not any(isinstance(value, (dict, list)) for value in fields.values())
    return isinstance(grant, str) and re.fullmatch(GRANT, grant) and is_flat and not set(PROMPT) & set(fields)


def hidden_fields(owner, names=None):
    """Placeholders in the place of the texts of fields."""
    return {key: value if names is not None and key not in names else
            hidden_fields(value) if isinstance(value, dict) else
            '<REDACTED:%s>' % key if isinstance(value, str) and value else value for key, value in owner.items()}


def hidden_header(name, value):
    if not isinstance(value, str) or not value:
        return value
    if names_secret(name) or re.match('(?i)(basic|bearer|token) |eyJ', value):
        return '<REDACTED:%s>' % name
    is_plain = all(re.fullmatch(r'[^\W\d_]{0,20}|[^\W_]{1,7}', word) for word in re.split(r'[\W_]+', value))
    return value if is_plain else '<DIGEST:%s>' % sha(value, 12)


def hidden_server(tool):
    """A tool of another server without its credentials."""
    is_server = isinstance(tool, dict) and (
        tool.get('type') in ('mcp', 'mcp_server') or {'authorization', 'authorization_token'} & set(tool))
    if not is_server:
        return tool
    hidden = hidden_fields(tool, ['authorization', 'authorization_token'])
    return {**hidden, **{field: {name: hidden_header(name, value) for name, value in tool[field].items()}
                         for field in ('headers', 'extra_headers') if isinstance(tool.get(field), dict)}}


def shown_credentials(body):
    """A body without the credentials that its form shows."""
    kind, content = body
    if kind == 'text' and re.fullmatch(r'(\S+&)?grant_type=\S+', content):
        fields = parse_qsl(content, keep_blank_values=True)
        if not is_token_request(dict(fields)):
            return body
        return kind, urlencode([(key, '<REDACTED:%s>' % key if key in OAUTH else value) for key, value in fields])
    if kind != 'json' or not isinstance(content, dict):
        return body
    if is_token_request(content):
        content = hidden_fields(content, OAUTH)
    return kind, {key: [hidden_server(tool) for tool in value] if key in ('tools', 'mcp_servers')
                  and isinstance(value, list) else value for key, value in content.items()}


def reduced(raw, env, before):
    """What counts of a request that a client sends, with placeholders."""
    host, path, query = address(raw['url'])
    sent = {name.lower(): value for name, value in raw.get('headers', {}).items()}
    data = base64.b64decode(raw['base64']) if 'base64' in raw else utf8(raw.get('body', ''))
    if raw['method'] == 'GET' and raw['url'].startswith('ws'):
        sent.setdefault(PROTOCOLS, '')
    hidden = hidden_texts(sent, host, query, env)
    every = re.compile(any_of(hidden) or '(?!)')
    change = lambda text: every.sub(lambda found: hidden[found[0]], text)
    stored = TABLES['headers']['stored']
    headers = {name: header(name, value, hidden, host) for name, value in sent.items() if re.search(stored, name)}
    kind, content = read_body(data, sent)
    kind, content = shown_credentials((kind, everywhere(content, change)))
    return {
        'method': raw['method'], 'host': host, 'before': before, 'body': (kind, content),
        'path': change(path).replace('<', '%3C').replace('>', '%3E'),
        'query': everywhere(list(query_of(host, query, hidden)), change),
        'socket': raw['url'].startswith('ws'), 'headers': BYTES if raw['method'] == 'SEND' and 'base64' in raw else
        {name: change(value) for name, value in headers.items() if value or name == PROTOCOLS} or None}


def plainly(request, env):
    """A request with the values of placeholders that are no credentials here."""
    plain = lambda name: names_secret(name) and name in env and not is_secret(env[name])
    find = lambda text, is_number=False: [
        (m.start(), m.end(), env[m[1]]) for m in re.finditer(r'<REDACTED:(\w+)>', text) if plain(m[1])]
    return {**request, 'body': replace_texts(request['body'], find)}


# Parameters


class Params:
    """The parameters of a test, and those of the file, which it has to declare."""

    def __init__(self, values, known):
        self.values = {name: value if isinstance(value, str) else value.spelling for name, value in values.items()}
        self.missing, self.fresh = set(known) - set(values), set(values) - set(known)

    def placeholders(self, names):
        return re.compile(r'\{\{(=*)(%s)(:number)?\}\}' % (any_of(names) or '(?!)'))

    def escaped(self, text, names):
        return [(m.start(), m.end(), '{{=' + m[0][2:]) for m in self.placeholders(names).finditer(text)]

    def escape(self, body):
        """A body of the file in which what looks like a new parameter is plain text."""
        find = lambda text, is_number=False: self.escaped(text, self.fresh)
        return replace_texts(body, find) if self.fresh else body

    def hide(self, body):
        names = {value: name for name, value in self.values.items()}
        sides = (r'(?<![^\W_])', r'(?<![0-9][.,])', r'(?![^\W_])', r'(?![.,][0-9])')
        words = [''.join([sides[0], sides[1] * value[:1].isdigit(), re.escape(value), sides[2],
                          sides[3] * value[-1:].isdigit()]) for value in sorted(names, key=len, reverse=True)]
        pattern = re.compile('|'.join(words))

        def find(text, is_number=False):
            if is_number:
                return [(0, len(text), '{{%s:number}}' % names[text])] if text in names else []
            found = [(m.start(), m.end(), '{{%s}}' % names[m[0]]) for m in pattern.finditer(text)]
            return found + self.escaped(text, self.values)
        return replace_texts(body, find) if names else body

    def show(self, body):
        pattern = self.placeholders(self.values)

        def find(text, is_number=False):
            for m in pattern.finditer(text):
                value = self.values[m[2]]
                is_number = m[3] and m[0] == text and isinstance(parsed(value), Num)
                new = '{{' + m[0][3:] if m[1] else Num(value) if is_number else value
                yield m.start(), m.end(), new
        return replace_texts(body, find) if self.values else body


# Volatile values


class Volatile:
    """The rules of a test."""

    def __init__(self, rules):
        self.paths, self.rules = [], []
        for rule in rules:
            if rule.startswith('$'):
                self.paths.append((rule, [key for key in re.split(r'[.[\]]+', rule[1:]) if key]))
            elif rule in TABLES['volatile']['rules']:
                self.rules.append((rule, expression(**TABLES['volatile']['rules'][rule])))
            else:
                raise Unsupported('the rule ' + rule)

    def path(self, place):
        return next((rule for rule, keys in self.paths if len(keys) == len(place) and all(
            key in ('*', str(at)) for key, at in zip(keys, place))), None)

    def found(self, text, place):
        """Start, end and rule of each piece of a text."""
        table = TABLES['volatile']['not_in_fields']
        if place and expression(**table).search(str(place[-1])):
            return []
        return list(in_turn((m.start(), m.end(), rule) for rule, pattern in self.rules for m in pattern.finditer(text)))


class Values:
    """The volatile values of one request."""

    def __init__(self):
        self.numbers, self.found = {}, []

    def mark(self, rule, value, kind=''):
        if rule in TABLES['volatile']['times']:
            self.found.append((rule, value))
            return NUL + 'volatile:' + rule
        if value not in self.numbers:
            self.numbers[value] = len(self.numbers) + 1
            self.found.append((rule, value))
        return '%svolatile:%s:%s%d' % (NUL, rule, kind, self.numbers[value])


# The canonical form


def ecma_number(spelling):
    """A number as ECMAScript writes its double, or None if it has none."""
    double = float(spelling)
    if double in (float('inf'), float('-inf')):
        return None
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    text, point = ''.join(map(str, digits)), len(digits) + exponent
    if double == 0:
        return '0'
    if len(text) <= point <= 21:
        text += '0' * (point - len(text))
    elif 0 < point <= 21:
        text = text[:point] + '.' + text[point:]
    elif -6 < point <= 0:
        text = '0.' + '0' * -point + text
    else:
        text = text[0] + ('.' + text[1:] if text[1:] else '') + 'e%+d' % (point - 1)
    return '-' * sign + text


def canonical_number(spelling):
    text, double = ecma_number(spelling), float(spelling)
    if text is None or text != spelling and double.is_integer() and abs(double) > 2 ** 53 - 1:
        return NUL + 'number:' + spelling.lower()
    return Num(text)


def endpoint(host):
    host, table = re.sub(r'\.$', '', host), TABLES['endpoints']
    if re.fullmatch(r'127(\.[0-9]+){3}|0\.0\.0\.0|\[::1?\]', host):
        return 'localhost'
    found = (one['endpoint'] for one in table['patterns'] if re.search(one['hosts'], host))
    return table['hosts'].get(host) or next(found, host)


def places(value, path):
    """The values at a path, whose `*` is any item of a list."""
    found = [value]
    for key in path.split('.') if path else []:
        if key == '*':
            found = [item for one in found if isinstance(one, list) for item in one]
        else:
            found = [one[key] for one in found if isinstance(one, dict) and key in one]
    return found


def call_ids(root, is_line):
    """The places of the ids of calls: by the object and the key, whether the call is far."""
    found = {}
    for form in TABLES['calls']:
        bases = ['', *form.get('inLines', [])] if is_line else ['', '*.query', *form.get('inside', [])]
        inside = [base for path in bases for base in places(root, path)]
        calls = [call for base in inside for at in form['in'] for call in places(base, at)]
        for path, *types in form['ids']:
            owner, _, last = path.rpartition('.')
            for holder in (one for call in calls for one in places(call, owner)):
                if not isinstance(holder, dict) or not isinstance(holder.get(last), str):
                    continue
                kind = holder.get('type', 'undefined')
                kind = kind if isinstance(kind, str) else write(kind)
                is_far = 'far' in form and re.search(form['far'], kind) is not None
                if all(re.search(one, kind) for one in types):
                    found[id(holder), last] = found.get((id(holder), last), False) or is_far
    return found


class Canonical:
    """Makes the canonical form of one request."""

    def __init__(self, volatile, has_order=True):
        self.volatile, self.has_order = volatile, has_order
        self.places, self.ids, self.values = {}, {}, Values()

    def text(self, text, place):
        prefix = re.match(r'(data:[\w.+-]+/[\w.+-]+(;[\w.+-]+=[\w.+-]+)*;base64,)?', text, re.ASCII)[0]
        if len(text) >= LONG and re.fullmatch('[A-Za-z0-9+/_-]+={0,2}', text[len(prefix):]):
            return NUL + 'base64:' + prefix + sha(text[len(prefix):])
        form, at = '', 0
        for start, end, rule in self.volatile.found(text, place):
            form += text[at:start].replace(NUL, NUL * 2) + self.values.mark(rule, text[start:end]) + NUL
            at = end
        form += text[at:].replace(NUL, NUL * 2)
        is_long = len(utf16(form)) >= 2 * LONG and not re.search('[\ud800-\udfff]', form)
        return NUL + 'text:' + sha(form) if is_long else form

    def number(self, number, place):
        whole = [(0, len(number.spelling), 'epoch')]
        if self.volatile.found(number.spelling, place) == whole:
            return self.values.mark('epoch', number.spelling)
        return canonical_number(number.spelling)

    def call(self, holder, key):
        """The mark of the id of a call."""
        is_far = self.places.get((id(holder), key))
        if is_far is None or is_far and holder[key] not in self.ids:
            return None
        return '%scall:%d' % (NUL, self.ids.setdefault(holder[key], len(self.ids) + 1))

    def value(self, value, place=()):
        rule = self.volatile.path(place)
        if rule:
            if isinstance(value, str):
                return self.values.mark(rule, value)
            kinds = {bool: 'boolean:', dict: 'object:', list: 'array:', Num: 'number:', type(None): 'null:'}
            return self.values.mark(rule, write(value), kinds[type(value)])
        if isinstance(value, list):
            return [self.value(item, place + (n,)) for n, item in enumerate(value)]
        if isinstance(value, dict):
            return self.object(value, place)
        if isinstance(value, str):
            return self.text(value, place)
        return self.number(value, place) if isinstance(value, Num) else value

    def object(self, value, place):
        form = {}
        for key in sorted(value, key=utf16):
            form[key] = self.call(value, key) or self.value(value[key], place + (key,))
            if self.has_order and key in ('properties', 'parameter_definitions') and isinstance(value[key], dict):
                keys = in_order(value[key])
                if keys != sorted(keys, key=utf16):
                    form[key] = [NUL + 'order', keys, form[key]]
        return form

    def root(self, value, is_line=False):
        self.places = call_ids(value, is_line)
        return self.value(value)

    def body(self, body):
        kind, content = body
        if kind == 'empty':
            return None
        if kind == 'bytes':
            return ['bytes', sha(content)]
        if kind == 'lines':
            return ['lines', *[self.root(line, True) for line in content]]
        if kind in ('form', 'frames'):
            return ['form', *map(self.value, content)] if kind == 'form' else ['frames', self.value(content)]
        value = parsed(content) if kind == 'text' else content
        if value is NONE:
            return ['text', self.text(content, ()) if self.volatile.rules or self.volatile.paths else content]
        form = self.root(value)
        return form if isinstance(value, dict) else ['json', form]

    def request(self, request):
        headers, form = request['headers'], {}
        if request['before']:
            form['after'] = prompt_hash(request['before'], self.volatile)[0]
        form['body'] = self.body(request['body'])
        form['endpoint'] = endpoint(request['host'])
        if headers:
            read = lambda name, value: (
                a_set(value.split(',')) if 'set' in reading_of(name) else
                endpoint(named_host(value)) if reading_of(name) == 'host' else value)
            form['headers'] = sorted((name + ': ' + read(name, headers[name]) for name in headers), key=utf16)
        form['method'], form['path'] = request['method'], request['path']
        query = [(name.replace('%', '%25').replace('=', '%3D'), value) for name, value in request['query']]
        form['query'] = [name + '=' + value for name, value in sorted(query, key=lambda pair: utf16(pair[0]))]
        return form


def prompt_hash(request, volatile, has_order=True):
    """The prompt hash, and the volatile values in the order of their numbers."""
    canonical = Canonical(volatile, has_order)
    return 'sha256-' + sha(write(canonical.request(request))), canonical.values.found


# Unknown parts


def without_framing(request):
    """A request of a socket, and those before it, with no subprotocols and kinds of messages."""
    name = PROTOCOLS if request['method'] == 'GET' else 'content-type'
    kept = {key: value for key, value in (request['headers'] or {}).items() if key != name}
    return {**request, 'headers': kept or None, 'before': request['before'] and without_framing(request['before'])}


def tells_framing(request):
    while request['before']:
        request = request['before']
    return PROTOCOLS in (request['headers'] or {})


def without_headers(request):
    """A request, and those before it on its socket, with no headers but those that name a model."""
    names = TABLES['headers']['names_a_model']
    kept = {name: value for name, value in (request['headers'] or {}).items() if name in names}
    return {**request, 'headers': kept or None, 'before': request['before'] and without_headers(request['before'])}


def aligned(recorded, asked, redacted):
    """What is asked, with the texts of the recording where only its redacted pieces differ."""
    if isinstance(recorded, dict) and isinstance(asked, dict):
        return {key: aligned(recorded.get(key), value, redacted) for key, value in asked.items()}
    if isinstance(recorded, list) and isinstance(asked, list):
        return [aligned(one, other, redacted) for one, other in zip(recorded, asked)] + asked[len(recorded):]
    if isinstance(recorded, str) and isinstance(asked, str) and redacted:
        parts = re.split(any_of(redacted), recorded)
        pattern = '.*'.join(map(re.escape, parts))
        return recorded if len(parts) > 1 and re.fullmatch(pattern, asked, re.S) else asked
    return asked


def as_imported(recorded, asked, imported):
    """What is asked, with the parts of the recording that are unknown."""
    unknown, redacted = imported.get('unknown', []), imported.get('redacted', [])
    spelled = redacted + [quote(text, safe) for text in redacted for safe in ("!#$&'()*+,/:;=?@~", '')]
    asked = without_headers(asked) if 'headers' in unknown else asked
    known = {'host': ['host'], 'path': ['path', 'query'], 'method': ['method'], 'headers': []}
    out = {**asked, **{key: recorded[key] for part in unknown for key in known[part]}}
    out['host'] = aligned(recorded['host'], out['host'], ['redacted'] if redacted else [])
    out['path'] = aligned(recorded['path'], out['path'], spelled)
    there, here = urlencode(recorded['query']), urlencode(out['query'])
    if aligned(there, here, spelled) == there:
        out['query'] = recorded['query']
    out['headers'] = aligned(recorded['headers'], asked['headers'], redacted)
    if recorded['body'][0] == asked['body'][0] != 'bytes':
        out['body'] = asked['body'][0], aligned(recorded['body'][1], asked['body'][1], redacted)
    return out


# Written exchanges, of chat completions alone


def plain_text(text):
    return text if isinstance(text, str) else joined(text['$text'])


def question(body):
    """The text of the last message of the user, or of the instructions."""
    messages = body.get('messages')
    for roles in (('user',), ('system', 'developer')):
        for message in reversed(messages if isinstance(messages, list) else []):
            if message.get('role') in roles:
                content = message.get('content')
                parts = content if isinstance(content, list) else [{'type': 'text', 'text': content}]
                return '\n'.join(part['text'] for part in parts if part.get('type') == 'text')
    return None


def without_ends(text):
    return '\n'.join(line.rstrip() for line in text.split('\n')).rstrip()


def hash_in(text):
    text = re.sub(r'(?i)^sha-?256\s*[-:=_]\s*', '', text.strip())
    if re.fullmatch('[0-9A-Fa-f]{64}', text):
        return text.lower()
    return base64.urlsafe_b64decode(text.replace('+', '-').replace('/', '_').rstrip('=') + '=').hex() \
        if re.fullmatch(r'[\w+/-]{43}=?', text, re.ASCII) else None


def is_meant(prompt, request, volatile):
    """Whether a person wrote an exchange for a request."""
    kind, body = request['body']
    asked = question(body) if kind == 'json' and isinstance(body, dict) else None
    wanted = hash_in(prompt.get('hash', ''))
    if wanted == prompt_hash(request, volatile)[0][7:]:
        return True
    if asked is None or not request['path'].endswith('/chat/completions'):
        return False
    facts = {**body, 'provider': endpoint(request['host']), 'operation': 'chat'}
    named = prompt.get('metadata', {})
    if any(key not in facts or write(facts[key]) != write(value) for key, value in named.items()):
        return False
    return wanted == sha(asked) if wanted else without_ends(plain_text(prompt['text'])) == without_ends(asked)


def written_answer(response, request):
    if not request['path'].endswith('/chat/completions'):
        raise Unsupported('an answer to ' + request['path'])
    if 'error' in response:
        return int(response.get('status', 400)), ('json', {'error': {'message': response['error'], 'type': 'error'}})
    calls = [{'index': Num(str(n)), 'id': 'call_%d' % n, 'type': 'function', 'function': {
        'name': call['tool_name'], 'arguments': write(call.get('parameters', {}))}}
        for n, call in enumerate(response.get('tool_calls', []))]
    message = {'role': 'assistant', 'content': plain_text(response['text']) if 'text' in response else None}
    message = {**message, 'tool_calls': calls} if calls else message
    choice = {'index': Num('0'), 'finish_reason': 'tool_calls' if calls else 'stop'}
    if request['body'][1].get('stream') is not True:
        whole = {'id': 'written', 'object': 'chat.completion', 'choices': [{**choice, 'message': message}]}
        return 200, ('json', whole)
    chunk = {'id': 'written', 'object': 'chat.completion.chunk', 'choices': [{**choice, 'delta': message}]}
    return 200, ('events', [{'data': chunk}, 'data: [DONE]\n\n'])


# Playing


class Exchange:
    """An exchange of the file, with its request and its answer if they were recorded."""

    def __init__(self, stored):
        self.stored, self.name, self.played, self.request, self.answer = stored, stored['id'], 0, None, None
        self.wire = stored.get('wire', {}).get('request', {})
        self.imported = self.wire.get('imported', {})

    @property
    def is_unasked(self):
        return 'body' in self.imported.get('unknown', [])

    @property
    def is_poll(self):
        return self.request is not None and self.request['method'] == 'GET' and (
            self.request['body'][0] == 'empty' and not self.is_unasked)


class Player:
    """Plays one cassette in one test."""

    def __init__(self, data, blobs, options):
        self.file, stored = read_file(data)
        self.env, self.volatile = options.get('env', {}), Volatile(options.get('volatile', []))
        self.repeats, self.unordered = options.get('repeats', 'strict'), options.get('unordered', True)
        self.params = Params(options.get('params', {}), self.file.get('params', {}))
        self.exchanges, self.recorded, self.live, self.given = list(map(Exchange, stored)), {}, {}, set()
        reader, requests = Reader(blobs), {}
        for one in self.exchanges:
            wire = one.stored.get('wire')
            if not wire:
                continue
            seen = {'prompt': one.stored['prompt'], 'response': one.stored['response'],
                    'wire': {'request': {}, 'response': {}}}
            reader.references.seen.setdefault(one.name, seen)
            body = reader.body(wire['request'], 'request', seen['wire']['request'])
            host, path, query = address(wire['request']['url'])
            one.request = requests[one.name] = {
                'method': wire['request']['method'], 'host': host, 'path': path, 'query': list(query_of(host, query)),
                'headers': wire['request'].get('headers') or None, 'body': self.params.escape(body),
                'before': requests.get(wire['request'].get('after')), 'socket': wire['request']['url'].startswith('ws')}
            if 'response' in wire:
                one.answer = reader.body(wire['response'], 'response', seen['wire']['response'])

    def read(self, raw, before):
        """A request that a client sends, as it is hashed."""
        request = reduced(raw, self.env, before)
        return {**request, 'body': self.params.hide(request['body'])}

    def values(self, one, request):
        """The hashes of a recorded and an asked request, and the pairs of their volatile values."""
        if one.request['socket'] and not tells_framing(one.request):
            request = without_framing(request)
        if one.imported:
            request = as_imported(one.request, request, one.imported)
        (known, ours), (asked, theirs) = (
            prompt_hash(plainly(each, self.env), self.volatile, 'respelled' not in one.imported)
            for each in (one.request, request))
        pairs = [(rule, old, new) for (rule, old), (_, new) in zip(ours, theirs)] if len(ours) == len(theirs) else []
        return known == asked, pairs

    def answering(self, request):
        """The exchanges that have the prompt of a request, each with its pairs: recorded ones first."""
        found = [(one, *self.values(one, request)) for one in self.exchanges if one.request and not one.is_unasked]
        written = [(one, []) for one in self.exchanges
                   if not one.request and is_meant(one.stored['prompt'], request, self.volatile)]
        found = [(one, pairs) for one, is_same, pairs in found if is_same]
        return sorted(found + written, key=lambda pair: pair[0].answer is None)

    def is_begun(self, one):
        """Whether a poll was asked at least once."""
        return one.is_poll and any(other.played and other.is_poll and self.values(other, one.request)[0]
                                   for other in self.exchanges)

    def contradicts(self, pairs):
        times = TABLES['volatile']['times']
        clocks = [*times, 'date-phrase']
        for rule, old, new in pairs:
            before, other = self.recorded.get(old), self.live.get(new)
            if rule not in times and (before and before[2] != new or other and other[1] != old and not (
                    rule in clocks and other[0] in clocks)):
                return True
        return False

    def choose(self, found, request):
        """The exchange whose turn it is, and its pairs."""
        unplayed = [pair for pair in found if not pair[0].played]
        if not unplayed:
            is_poll = self.repeats == 'strict' and any(one.is_poll for one, _ in found)
            again = {'last': found[-1:], 'cycle': sorted(found, key=lambda pair: pair[0].played)}
            unplayed = again.get('last' if is_poll else self.repeats, [])
        elif not self.unordered:
            mine = [one for one, _ in unplayed]
            first = next(one for one in self.exchanges if not one.played and (one in mine or not self.is_begun(one)))
            unplayed = [pair for pair in unplayed if pair[0] is first]
        else:
            same = lambda one: one.request and all(
                one.request[key] == request[key] for key in request if key != 'before')
            unplayed.sort(key=lambda pair: not same(pair[0]))
        return next((pair for pair in unplayed if not self.contradicts(pair[1])), None)

    def bindable(self):
        """The pairs that are replaced in answers: (recorded, of this run)."""
        def may(rule, value):
            least = 4 if rule.startswith('$') or re.fullmatch('[0-9]+', value) else 2
            has_digit = not rule.startswith('$') or re.search('[0-9]', value)
            return value[:1] not in ('{', '[') and len(value) >= least and has_digit
        return [(old, new) for rule, old, new in self.recorded.values()
                if old != new and may(rule, old) and may(rule, new)]

    def ask(self, request):
        """The answer to a request."""
        need(not self.params.missing, 'params')
        found = self.answering(request)
        chosen = self.choose(found, request)
        if not chosen and self.given:
            back = {new: old for old, new in self.bindable() if new in self.given}
            undone = {**request, 'body': replace_texts(request['body'], whole_words(back))}
            forth = {old: new for new, old in back.items()}
            again = [(one, [(rule, old, forth.get(new, new)) for rule, old, new in pairs])
                     for one, pairs in self.answering(undone)]
            chosen = self.choose(again, undone)
        if not chosen:
            raise Refused(self.why_refused(found))
        one, pairs = chosen
        one.played += 1
        for pair in pairs:
            self.recorded[pair[1]] = self.live[pair[2]] = pair
        return self.answer(one, request)

    def why_refused(self, found):
        unplayed = [pair for pair in found if not pair[0].played]
        first = unplayed[:1] or (found[-1:] if self.repeats != 'strict' else [])
        if any(self.contradicts(pairs) for _, pairs in first):
            return 'volatile'
        return 'turn' if unplayed and not self.unordered else 'played' if found else 'unmatched'

    def answer(self, one, request):
        if one.answer is None:
            status, body = written_answer(one.stored['response'], request)
            kind = 'text/event-stream' if body[0] == 'events' else 'application/json'
            return {'exchange': one.name, 'written': True, 'status': status, 'headers': {'content-type': kind},
                    'pieces': pieces(body)}
        wire, body = one.stored['wire']['response'], self.params.escape(one.answer)
        table = dict(self.bindable())
        words = whole_words(table) if table else None

        def find(text, is_number=False):
            spans = words(text)
            self.given.update(new for _, _, new in spans)
            return spans
        body = self.params.show(replace_texts(body, find) if words else body)
        told = {key: wire[key] for key in ('cut', 'aborted') if key in wire}
        return {'exchange': one.name, 'status': wire['status'], 'headers': wire['headers'],
                'pieces': pieces(body, wire.get('layout', {}), wire.get('eol', '\n')), **told}

    def unused(self):
        return [] if self.params.missing else [
            one.name for one in self.exchanges if not one.played and not self.is_begun(one)]

    def edited(self):
        """What somebody edited after it was recorded, by the hashes of the file."""
        edited = []
        if 'file_hash' in self.file:
            head = {key: value for key, value in self.file.items() if key not in ('file_hash', 'exchanges')}
            recorded = [one for one in self.file['exchanges'] if 'response' in one.get('wire', {})]
            hashes = self.file['file_hash'].split('-')[1:]
            parts = zip(('head', 'exchanges'), (head, recorded), hashes)
            edited = [name for name, part, known in parts if sha(write(part), 32) != known]
        for one in self.exchanges:
            wire = one.stored['wire']['response'] if one.answer else {}
            known = wire.get('hash', self.file.get('hashes', {}).get(one.name, {}).get('answer'))
            if one.answer and known and known != answer_hash(wire, one.answer):
                edited.append(one.name)
        return edited


def answer_hash(wire, body):
    head = {'aborted': wire['aborted']} if 'aborted' in wire else {}
    headers = {name: wire['headers'][name] for name in sorted(wire['headers'])}
    head = {**head, 'cut': wire.get('cut', False), 'headers': headers, 'status': wire['status']}
    parts = [utf8(write(head)), *pieces(body, wire.get('layout', {}), wire.get('eol', '\n'))]
    return 'sha256-' + sha(b''.join(b'%d\n' % len(part) + part for part in parts), 32)


# The cases


def outcome(player, request):
    """What a player makes of a request, in the form in which a case expects it."""
    said = {'hash': prompt_hash(request, player.volatile)[0]}
    try:
        answer = player.ask(request)
    except Refused as refused:
        return {**said, 'refused': str(refused)}
    if 'written' in answer:
        return {**said, 'exchange': answer['exchange'], 'written': True}
    parts = answer.pop('pieces')
    if len(parts) > 1:
        answer['pieces'] = [Num(str(len(part))) for part in parts]
    try:
        answer['body'] = b''.join(parts).decode()
    except UnicodeDecodeError:
        answer['base64'] = base64.b64encode(b''.join(parts)).decode()
    return {**said, **answer}


def play(case):
    """Why the file is not read, or an outcome for each request, what is unused, and what was edited."""
    data = utf8(case['file'] if 'file' in case else write(case['cassette']))
    blobs = {name: base64.b64decode(text) for name, text in case.get('blobs', {}).items()}
    try:
        player = Player(data, blobs, case.get('options', {}))
    except Refused as refused:
        return {'unreadable': str(refused)}
    asked, outcomes = [], []
    for raw in case['requests']:
        asked.append(player.read(raw, asked[int(raw['after'])] if 'after' in raw else None))
        outcomes.append(outcome(player, asked[-1]))
    return {'expect': outcomes, 'unused': player.unused(), 'edited': player.edited()}


def main(names):
    for name in names:
        try:
            print(write(play(parse(Path(name).read_text('utf-8')))))
        except Unsupported as unsupported:
            print(write({'unreadable': 'unsupported', 'found': str(unsupported)}))


if __name__ == '__main__':
    main(sys.argv[1:])
