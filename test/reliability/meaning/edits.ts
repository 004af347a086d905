import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import type { Sent } from '../sent.ts'
import type { Format } from './content.ts'

/** An edit of a request: what it does, and why another answer may come. */
export interface MeaningfulEdit {
  what: string
  why: string
  sent: Sent
}

type Change = (value: JsonValue) => unknown

/** What a format sends. */
export function sentBy({ url, headers = {}, body }: Format): Sent {
  const all = { authorization: 'Bearer key-of-a', 'content-type': 'application/json', ...headers }
  return { method: 'POST', url, headers: all, body: JSON.stringify(body) }
}

/** A copy of a body with another value at a path; `undefined` takes the value away. */
export function changed(body: JsonObject, path: string, change: Change): JsonObject {
  const copy = structuredClone(body)
  const keys = path.split('.')
  const last = keys.pop()!
  const owner = keys.reduce<JsonValue>((value, key) => (value as JsonObject)[key]!, copy)
  const value = change((owner as JsonObject)[last]!) as JsonValue | undefined
  if (value === undefined) delete (owner as JsonObject)[last]
  else (owner as JsonObject)[last] = value
  return copy
}

const replaced =
  (from: string | RegExp, to: string): Change =>
  (text) => {
    const other = (text as string).replace(from, to)
    if (other === text) throw new Error(`There is no ${String(from)} in ${String(text)}.`)
    return other
  }

const swap: Change = (list) => (list as JsonValue[]).with(0, at(list, 1)).with(1, at(list, 0))
const at = (list: JsonValue, index: number): JsonValue => (list as JsonValue[])[index]!
const reversed: Change = (fields) =>
  Object.fromEntries(Object.entries(fields as object).toReversed())
const renamed: Change = (fields) => {
  const { order, ...rest } = fields as JsonObject
  return { number: order, ...rest }
}
const inProperties =
  (change: Change): Change =>
  (schema) =>
    changed(schema as JsonObject, 'properties', change)

/** Every edit of meaning that is tried in a format. */
export function meaningfulEdits(format: Format): MeaningfulEdit[] {
  const { body, at: place, streamed, otherModel } = format
  const sent = sentBy(format)
  const edits: MeaningfulEdit[] = []
  const add = (what: string, why: string, parts: Partial<Sent>): void => {
    edits.push({ what, why, sent: { ...sent, ...parts } })
  }
  const edit = (what: string, why: string, path: string | undefined, change: Change): void => {
    if (path !== undefined) add(what, why, { body: JSON.stringify(changed(body, path, change)) })
  }
  const both = (
    paths: [string, string] | undefined,
    change: (values: JsonValue[]) => JsonValue[],
  ) => {
    if (!paths) return undefined
    const values = paths.map((path) =>
      path.split('.').reduce<JsonValue>((value, key) => (value as JsonObject)[key]!, body),
    )
    const others = change(values)
    return paths.reduce((copy, path, index) => changed(copy, path, () => others[index]!), body)
  }
  const swapBoth = (what: string, why: string, paths: [string, string] | undefined): void => {
    const other = both(paths, ([one, two]) => [two!, one!])
    if (other) add(what, why, { body: JSON.stringify(other) })
  }
  const { url, headers } = otherModel ?? {}
  const of = (more?: Record<string, string>): Partial<Sent> =>
    more ? { headers: { ...sent.headers, ...more } } : {}

  edit('another model', 'another model answers', place.model, (name) => `${name as string}-mini`)
  if (otherModel)
    add('another model', 'another model answers', { ...(url ? { url } : {}), ...of(headers) })
  add('another provider', 'somebody else answers', {
    url: sent.url.replace(/\/\/[^/]+/, '//llm.example'),
  })
  add('streamed', 'the answer comes in another form', {
    ...(streamed.url ? { url: streamed.url } : {}),
    ...of(streamed.headers),
    ...(streamed.body ? { body: JSON.stringify({ ...body, ...streamed.body }) } : {}),
  })
  add('sound is accepted', 'the answer comes in another form', of({ accept: 'audio/mpeg' }))
  add('a gateway leads elsewhere', 'somebody else answers', of({ 'x-portkey-provider': 'groq' }))

  const words: Array<[what: string, why: string, change: Change]> = [
    ['another word', 'the model is told something else', replaced('one sentence', 'two sentences')],
    [
      'a word more',
      'the model is told the opposite',
      replaced('Please answer', 'Please never answer'),
    ],
    ['another case', 'capitals are other tokens', replaced('Please', 'PLEASE')],
    ['a space more', 'white space is a token', (text) => `${text as string} `],
    ['a line less', 'lines set instructions apart', replaced('\n', ' ')],
  ]
  for (const [what, why, change] of words) edit(`instructions: ${what}`, why, place.system, change)
  edit('no instructions', 'the model is told nothing', place.system, () => '')

  const letters: Array<[what: string, why: string, change: Change]> = [
    ['another number', 'another thing is asked', replaced('17', '71')],
    ['no question mark', 'signs are tokens', replaced('?', '')],
    [
      'a letter of another script',
      'letters that look alike are other tokens',
      replaced('a', '\u0430'),
    ],
    [
      'a letter in two signs',
      'what looks the same is sent as other tokens',
      (text) => (text as string).normalize('NFD'),
    ],
    ['an invisible letter', 'what nobody sees is a token too', replaced(' ', ' \u200b')],
    ['curly quotes', 'signs are tokens', replaced('"17"', '“17”')],
    ['nothing', 'nothing is asked', () => ''],
  ]
  for (const [what, why, change] of letters) edit(`question: ${what}`, why, place.question, change)

  edit(
    'an earlier answer in other words',
    'the model sees another conversation',
    place.earlier,
    replaced('order', 'parcel'),
  )
  edit('a message less', 'the model sees another conversation', place.messages, (list) =>
    (list as JsonValue[]).slice(0, -1),
  )
  edit('a message twice', 'the model sees another conversation', place.messages, (list) => [
    ...(list as JsonValue[]),
    at(list, 0),
  ])
  swapBoth(
    'two messages in another order',
    'who speaks first leads the conversation',
    place.swapped,
  )
  edit(
    'another picture',
    'the model sees something else',
    place.picture,
    replaced(/.(?=.{9}$)/, 'Z'),
  )

  edit('a tool of another name', 'names say what a tool does', place.toolName, () => 'find')
  edit(
    'another description of a tool',
    'it says when to call the tool',
    place.toolText,
    replaced('an order', 'a parcel'),
  )
  edit('a tool less', 'it cannot be called', place.tools, (list) => (list as JsonValue[]).slice(1))
  edit('tools in another order', 'models prefer what comes first', place.tools, swap)
  edit('no arguments needed', 'the model may leave them out', place.parameters, (schema) =>
    changed(schema as JsonObject, 'required', () => []),
  )
  edit(
    'another type of an argument',
    'it is written otherwise',
    `${place.parameters}.properties.order.type`,
    () => 'string',
  )
  edit(
    'another choice for an argument',
    'it can be chosen',
    `${place.parameters}.properties.detail.enum.0`,
    () => 'time',
  )
  edit(
    'choices in another order',
    'models prefer what comes first',
    `${place.parameters}.properties.detail.enum`,
    swap,
  )
  edit(
    'an argument of another name',
    'names say what is meant',
    place.parameters,
    inProperties(renamed),
  )
  edit(
    'arguments in another order',
    'models write them in this order',
    place.parameters,
    inProperties(reversed),
  )
  if (place.choice)
    edit(
      'another choice of tools',
      'it says whether a tool is called',
      place.choice[0],
      () => place.choice![1],
    )

  edit('other call arguments', 'the model sees what it has called', place.arguments, (value) =>
    typeof value === 'number' ? value + 1 : replaced('17', '18')(value),
  )
  edit(
    'another result',
    'the model sees another result',
    place.results[0],
    replaced('Monday', 'Sunday'),
  )
  swapBoth('two results exchanged', 'each result belongs to its call', place.results)
  swapBoth('results of the other calls', 'each result belongs to its call', place.resultIds)

  edit('a higher limit', 'the answer may be longer', place.limit, (limit) => (limit as number) + 1)
  edit('a limit as text', 'providers refuse it', place.limit, String)
  edit('another temperature', 'the answer is drawn otherwise', place.temperature, () => 0.3)
  edit('no temperature', 'the default is another', place.temperature, () => undefined)
  edit('one more place to stop', 'the answer ends earlier', place.stop, (list) => [
    ...(list as JsonValue[]),
    '.',
  ])
  add('a setting more', 'it may change the answer', { body: JSON.stringify({ ...body, seed: 7 }) })

  edit(
    'the form of the answer in another order',
    'models write in this order: the verdict before the reason',
    place.schema,
    inProperties(reversed),
  )
  edit(
    'another description in the form',
    'it says what to write',
    place.schema && `${place.schema}.properties.reason.description`,
    replaced('think', 'believe'),
  )
  edit(
    'an open form',
    'more may be written',
    place.schema && `${place.schema}.additionalProperties`,
    () => true,
  )
  const twice = sent.body.replace('{', `{"${Object.keys(body)[0]}":null,`)
  add('a key twice', 'providers differ in which of the two they read', { body: twice })
  return edits
}
