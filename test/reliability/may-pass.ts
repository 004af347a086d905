import type { Edit } from './edits.ts'

/** What may change without a word. */
export interface MayPass {
  what: string
  why: string
  covers(edit: Edit): boolean
}

/** Where the protocols name a call and its result. */
const CALLS = new Set([
  'inputs[].tool_call_id',
  'contents[].parts[].functionCall.id = contents[].parts[].functionResponse.id',
  'input[].call_id',
  'input[].id = input[].call_id',
  'messages[].content[].id = messages[].content[].tool_use_id',
  'messages[].content[].toolUse.toolUseId = messages[].content[].toolResult.toolUseId',
  'messages[].tool_calls[].id = messages[].tool_call_id',
  'prompt[].content[].toolCallId',
  'response.input[].call_id',
])

/** The search of an interaction runs at Google, which names it once and for all. */
const SEARCH = 's1'

/** Ids to which nothing else in their request refers, and in how many places their text stands. */
const ALONE = new Set([
  // What answers a call in Live is a message of its own, though the sample has both in one.
  'clientContent.turns[].parts[].functionCall.id call_1 2',
  'input[].id fc_0 1',
  'messages[].tool_calls[].id call_1 1',
])

/** The query parameters of these requests that authenticate. */
const KEYS = new Set(['?key', '?api_key', '?access_token', '?subscription-key'])

/** Where an MCP server gets credentials. */
const CREDENTIALS = new Set(['tools[].authorization', 'tools[].headers.x-api-key'])

const OTHER_TEXT = new Set(['another text', 'a space more', 'another case', 'no text'])

/** A test that passes after this, and no other, is one row of the list. */
export const MAY_PASS: MayPass[] = [
  {
    what: 'the order of the keys of an object, but for the `properties` of a schema',
    why: 'JSON gives it no meaning, and clients change it between releases; models write answers and arguments in the order of properties, so that counts',
    covers: ({ kind }) => kind === 'keys in another order',
  },
  {
    what: 'white space between values, and letters that are written as escapes',
    why: 'the text that is read is the same',
    covers: ({ kind }) => kind === 'white space between' || kind === 'letters as escapes',
  },
  {
    what: 'how a number is spelled: `1`, `1.0`, `1e0`',
    why: 'the number is the same; digits of whole numbers beyond what a double holds count',
    covers: ({ kind }) => kind === 'a number spelled otherwise',
  },
  {
    what: 'the id of a call, changed alike where it is called and answered',
    why: 'clients and providers invent it anew; which call a result belongs to counts',
    covers: ({ kind, place, was }) =>
      kind === 'changed alike in all its places' && CALLS.has(place) && was?.text !== SEARCH,
  },
  {
    what: 'the id of a call to which nothing else in the request refers',
    why: 'the same',
    covers: ({ kind, place, was }) =>
      OTHER_TEXT.has(kind) && ALONE.has(`${place} ${was?.text} ${was?.times}`),
  },
  {
    what: 'the credential that an MCP server gets: `authorization`, and headers that are named like one',
    why: 'each developer has another, and none is stored; that there is one counts, and whose variable it is, or which of several are equal, [as far as that is known](security.md#credentials-for-other-servers); so do the other headers, such as that of a tenant',
    covers: ({ kind, place }) =>
      CREDENTIALS.has(place) && OTHER_TEXT.has(kind) && kind !== 'no text',
  },
  {
    what: 'the first value of a key that stands twice, in a body with the credential of an MCP server',
    why: 'what is stored is the value without the credential, and not the text; in every other body both values count, since providers differ in which they read',
    covers: ({ kind, sent }) =>
      kind === 'a key twice, first with another value' && /"type":"mcp"/.test(sent.body),
  },
  {
    what: 'port, scheme and fragment of the address, and a dot behind its host',
    why: 'a local server has another port each time, and the others are the same place',
    covers: ({ place, kind }) =>
      ['port', 'scheme', 'fragment'].includes(place) || kind === 'a dot behind it',
  },
  {
    what: 'the region or account in the hosts that are listed below',
    why: 'the same model answers; developers and CI have others; every other host counts',
    covers: ({ kind }) => kind === 'another region',
  },
  {
    what: 'the order of query parameters of different names',
    why: 'they are read by their names; the values of one name are a list',
    covers: ({ kind, place }) => place === 'query' && kind === 'in another order',
  },
  {
    what: 'query parameters that authenticate: `key`, `access_token`, `subscription-key`',
    why: 'each machine has its own, and most have none; no other parameter is left out',
    covers: ({ kind, place }) =>
      KEYS.has(place) && ['added', 'removed', 'another value', 'another name'].includes(kind),
  },
  {
    what: 'headers that authenticate or name the client, and a type of JSON or plain text',
    why: 'they differ between machines and releases; the headers that count are listed below',
    covers: ({ kind, place }) => kind === 'added' && place.startsWith('header '),
  },
  {
    what: 'the boundary of a form',
    why: 'clients draw it at random',
    covers: ({ kind }) => kind === 'another boundary',
  },
  {
    what: 'how the lines of JSON lines end',
    why: 'the lines are the same',
    covers: ({ kind }) => kind === 'another end of lines',
  },
]
