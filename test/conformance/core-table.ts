import { KEPT_HEADERS } from '../../src/wire/headers.ts'

/** An expression for the JSON of any text. */
const TEXT = '"[\\s\\S]*"'

const ANYTHING = ''

const OBJECT = '\\{[\\s\\S]*\\}'

const STRING = '"(?:[^"\\\\]|\\\\.)*"'

const SAID = `${STRING}|\\{"\\$text":\\[(?:${STRING}(?:,${STRING})*)?\\]\\}`

const TIME = '"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?Z"'

const YES_OR_NO = 'true|false'

const COUNT = '[0-9]+(?:\\.[0-9]+)?'

const HASH = '"sha256-[0-9a-f]{64}"'

const ANSWER_HASH = '"sha256-[0-9a-f]{32}"'

const layout = {
  'indent?': '[1-9]|1[0-6]',
  'spacedItems?': YES_OR_NO,
  'spacedKeys?': YES_OR_NO,
  'pad?': '[1-9][0-9]{0,2}|1000',
  'end?': '"(?: |\\\\[trn]){1,1000}"',
}

const spelling = { 'body?': ANYTHING, 'layout?': layout, 'eol?': '"(?:\\\\r)?\\\\n"' }

const header = '"(?:[ !#-\\[\\]-~\\x80-\\xff]|\\\\[t"\\\\])*"'

const usage = {
  'input_tokens?': COUNT,
  'output_tokens?': COUNT,
  'cache_read_input_tokens?': COUNT,
  'cache_creation_input_tokens?': COUNT,
  'reasoning_output_tokens?': COUNT,
}

const exchange = {
  id: TEXT,
  prompt: { text: SAID, metadata: OBJECT, 'hash?': HASH },
  response: {
    text: SAID,
    'reasoning?': SAID,
    'tool_calls?': [{ tool_name: TEXT, 'parameters?': ANYTHING, 'result?': ANYTHING }],
    'finish_reasons?': [TEXT],
    'error?': TEXT,
    'incomplete?': YES_OR_NO,
    'duration_ms?': COUNT,
    'status?': '[45][0-9][0-9]',
    'kept?': 'true',
    'mocked?': 'true',
    'usage?': usage,
  },
  wire: {
    request: {
      method: '"(?:POST|PUT|PATCH|DELETE)"',
      url: TEXT,
      'headers?': { '*': header },
      ...spelling,
    },
    response: {
      status: '[2-5][0-9][0-9]',
      headers: Object.fromEntries(KEPT_HEADERS.map((name) => [`${name}?`, header])),
      'hash?': ANSWER_HASH,
      ...spelling,
    },
  },
}

/**
 * What a player of the level `core` knows of a file. The form of a field is an expression that its compact JSON matches
 * as a whole, or empty if it means nothing; a name with `?` may be missing, and `*` is any name.
 */
export const CORE = {
  file: {
    '$schema?': TEXT,
    version: '"1\\.[0-9]+"',
    conversation_id: TEXT,
    timestamp: TIME,
    'oldest_answer?': TIME,
    'file_hash?': '"sha256-[0-9a-f]{32}-[0-9a-f]{32}"',
    'hashes?': { '*': { prompt: HASH, 'answer?': ANSWER_HASH } },
    exchanges: [exchange],
  },
  event: { 'event?': TEXT, data: ANYTHING, 'pad?': layout['pad?'], 'next?': { '*': [ANYTHING] } },
  reference: {
    $same: TEXT,
    'at?': '""|"/[\\s\\S]*"',
    'count?': '[1-9][0-9]{0,8}',
    'from?': '[0-9]{1,9}',
  },
  pieces: { $text: [TEXT] },
  text: { $text: TEXT },
  stringified: { $stringified: ANYTHING, 'layout?': layout },
  other_bodies: ['$text', '$events', '$base64', '$lines', '$frames', '$form'],
  json_schema: ['$schema', '$ref', '$defs', '$id', '$anchor', '$comment'],
}
