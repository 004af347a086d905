import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/json/json-value.ts'
import type { Sent } from '../sent.ts'
import type { Format } from './content.ts'
import { changed, sentBy, type MeaningfulEdit } from './edits.ts'

/** Every harmless change that is tried in a format. */
export function harmlessEdits(format: Format): MeaningfulEdit[] {
  const sent = sentBy(format)
  const { body, elsewhere } = format
  const { host } = new URL(sent.url)
  const text = (value: JsonValue): Partial<Sent> => ({ body: JSON.stringify(value) })
  const header = (more: Record<string, string>): Partial<Sent> => ({
    headers: { ...sent.headers, ...more },
  })
  const edits: Array<[what: string, why: string, parts: Partial<Sent> | undefined]> = [
    [
      'keys in another order',
      'JSON gives it no meaning, but for properties',
      text(reordered(body)),
    ],
    ['white space', 'the same is read', { body: JSON.stringify(body, null, 2) }],
    ['letters as escapes', 'the same is read', { body: sent.body.replaceAll('é', '\\u00e9') }],
    ['a number spelled otherwise', 'it is the same', { body: sent.body.replace('0.2,', '0.20,') }],
    ['other ids of all calls', 'clients and providers invent them', renamed(format)],
    ['another key', 'each developer has another', header({ authorization: 'Bearer key-of-b' })],
    [
      'another client',
      'releases differ',
      header({ 'user-agent': 'client/2', 'x-stainless-os': 'Linux' }),
    ],
    ['another attempt', 'clients count them', header({ 'x-stainless-retry-count': '1' })],
    ['JSON is accepted', 'clients ask for it by default', header({ accept: 'application/json' })],
    ['anything is accepted', 'clients ask for it by default', header({ accept: '*/*' })],
    [
      'a charset',
      'JSON has but one',
      header({ 'content-type': 'application/json; charset=utf-8' }),
    ],
    [
      'ids of requests',
      'they are drawn at random',
      header({ 'x-request-id': '1', traceparent: '00-1' }),
    ],
    [
      'ids of a gateway',
      'they are drawn at random',
      header({ 'x-portkey-trace-id': '1', 'helicone-session-id': '2' }),
    ],
    [
      'who pays',
      'developers differ',
      header({ 'openai-organization': 'org-b', 'x-goog-user-project': 'b' }),
    ],
    ['a key in the address', 'each developer has another', { url: withQuery(sent.url, 'key=b') }],
    ['a fragment', 'it is not sent', { url: `${sent.url}#part` }],
    [
      'another port',
      'a local server has another each time',
      { url: sent.url.replace(host, `${host.split(':')[0]}:8443`) },
    ],
    [
      'another account, region or name of the host',
      'the same models answer',
      elsewhere ? { url: elsewhere } : undefined,
    ],
  ]
  return edits.flatMap(([what, why, parts]) =>
    parts ? [{ what, why, sent: { ...sent, ...parts } }] : [],
  )
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** All keys in another order, but for those of properties. */
function reordered(value: JsonValue, key?: string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => reordered(item))
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([name, inner]) => [name, reordered(inner, name)])
  return Object.fromEntries(key === 'properties' ? fields : fields.toReversed())
}

function renamed({ body, at: { callIds, resultIds } }: Format): Partial<Sent> | undefined {
  if (!callIds || !resultIds) return undefined
  const rename = (copy: JsonObject, path: string): JsonObject =>
    changed(copy, path, (id) => `another-${id as string}`)
  return { body: JSON.stringify([...callIds, ...resultIds].reduce(rename, body)) }
}
