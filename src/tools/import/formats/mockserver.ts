import { bytesOfJson, bytesOfText, fromBase64 } from '../bodies.ts'
import {
  Collector,
  type HeldBody,
  type HeldResponse,
  foreignHeaders,
  withType,
} from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/** Expectations of MockServer: written by hand, or what it has seen as a proxy, with the bytes of bodies. */
export const mockserver: ForeignFormat = {
  name: 'mockserver',
  tools: 'MockServer',
  hint: /"httpRequest"\s*:/,

  recognise(file) {
    const first = firstOf(jsonIn(file))
    if (!hasFields(first?.httpRequest)) return false
    if (Object.keys(first).some((name) => ANSWERS.test(name))) return true
    return 'its first expectation has no httpResponse'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const data = new ForeignValue(file.name, file.json())
    for (const expectation of data.isList ? data.items() : [data])
      addExpectation(expectation, collector)
    return [collector.recording]
  },
}

/** What an expectation can do with a request. */
const ANSWERS =
  /^http(?:Response|SseResponse|WebSocketResponse|Forward|OverrideForwardedRequest|Error)/

function addExpectation(expectation: ForeignValue, collector: Collector): void {
  const request = expectation.at('httpRequest')
  const answers = answersOf(expectation)
  if (answers.length === 0) {
    const other = Object.keys(expectation.object()).find((name) => ANSWERS.test(name))
    return collector.leaveOut(`an expectation with ${other ?? 'no httpResponse'}`)
  }
  const headers = request.at('headers')
  const body = requestBody(request)
  const rules = rulesOf(request, body)
  if (answers.length > 1 && expectation.at('responseMode').value === 'RANDOM')
    collector.leaveOut('that an expectation answers at random')
  const asked = {
    method: textOfRule(request.at('method')),
    url: addressOf(expectation),
    headers: headers.isAbsent || !isPlain(headers) ? undefined : foreignHeaders(headers),
    body,
    rules,
    place: request,
  }
  for (const answer of answers) collector.add(asked, answer)
}

/** What reads the answers of an expectation, in order. */
function answersOf(expectation: ForeignValue): Array<() => HeldResponse | string> {
  const stream = expectation.at('httpSseResponse')
  if (!stream.isAbsent) return [() => streamOf(stream)]
  const several = expectation.at('httpResponses').items()
  const alone = expectation.at('httpResponse')
  const responses = several.length > 0 ? several : alone.isAbsent ? [] : [alone]
  return responses.map((response) => () => answerOf(response))
}

function answerOf(response: ForeignValue): HeldResponse | string {
  const held = response.at('body')
  if (held.isObject && held.at('type').value === 'FILE')
    return 'an answer whose body is in a file of the server'
  const body = bodyOf(held)
  const told = held.isObject ? held.at('contentType').value : undefined
  return {
    status: statusOf(response),
    headers: withType(
      foreignHeaders(response.at('headers')),
      // The server says of JSON what it is, where the expectation does not.
      typeof told === 'string' ? told : body?.isRespelled ? 'application/json' : undefined,
    ),
    body: body?.bytes ?? new Uint8Array(),
    place: response,
  }
}

function statusOf(response: ForeignValue): number {
  const status = response.at('statusCode')
  return status.isAbsent ? 200 : status.status()
}

/** A stream of events, as the server spells them. */
function streamOf(response: ForeignValue): HeldResponse {
  const events = response.at('events').items()
  return {
    status: statusOf(response),
    headers: withType(foreignHeaders(response.at('headers')), 'text/event-stream'),
    body: bytesOfText(events.map((event) => `${linesOf(event).join('\n')}\n\n`).join('')),
    place: response,
  }
}

function linesOf(event: ForeignValue): string[] {
  const line = (name: string): string[] => {
    const { value } = event.at(name)
    return value === undefined ? [] : [`${name}: ${String(value)}`]
  }
  const data = event.at('data').textIfAny()?.split(/\r?\n/) ?? []
  return [...line('id'), ...line('event'), ...line('retry'), ...data.map((one) => `data: ${one}`)]
}

/** The name that tools give to what MockServer has seen: `1766396516877-s.jina.ai-GET-_-a3cb871f.json`. */
const NAME_WITH_HOST = /^(?:\d+-)+([\w.-]+?)-[A-Z]+-/

/** A path and its parameters; with a host where a header or the id of the expectation has it. */
function addressOf(expectation: ForeignValue): string | undefined {
  const request = expectation.at('httpRequest')
  const path = textOfRule(request.at('path'))
  if (path === undefined) return undefined
  const query = queryOf(request.at('queryStringParameters'))
  const id = expectation.at('id').value
  const [, named] = (typeof id === 'string' && NAME_WITH_HOST.exec(id)) || []
  const host =
    hostOf(request.at('headers')) ??
    request.at('socketAddress', 'host').textIfAny() ??
    (named === 'unknown-host' ? undefined : named)
  const isSecure = request.at('secure').value !== false
  return `${host === undefined ? '' : `http${isSecure ? 's' : ''}://${host}`}${path}${query}`
}

function hostOf(headers: ForeignValue): string | undefined {
  if (headers.isAbsent || !isPlain(headers)) return undefined
  return foreignHeaders(headers).find(([name]) => name.toLowerCase() === 'host')?.[1]
}

function queryOf(parameters: ForeignValue): string {
  if (parameters.isAbsent || !isPlain(parameters)) return ''
  const pairs = foreignHeaders(parameters)
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** A text that is compared, and no rule such as `{ "not": true, "value": … }`. */
function textOfRule(place: ForeignValue): string | undefined {
  return place.isText ? place.text() : undefined
}

/** Whether headers or parameters are values, and no rules about them. */
function isPlain(place: ForeignValue): boolean {
  try {
    foreignHeaders(place)
    return true
  } catch {
    return false
  }
}

/** The body as bytes; undefined for a rule about bodies, or where there is none. */
function bodyOf(body: ForeignValue): HeldBody | undefined {
  if (body.isAbsent) return undefined
  if (body.isText) return { bytes: bytesOfText(body.text()) }
  if (!body.isObject) return { bytes: bytesOfJson(body.value), isRespelled: true }
  const raw = body.either('rawBytes', 'base64Bytes')
  if (!raw.isAbsent) return { bytes: fromBase64(raw.text(), raw) }
  const type = body.at('type').value
  if (type === 'STRING' && body.at('subString').value !== true)
    return { bytes: bytesOfText(body.at('string').text()) }
  if (type === 'JSON' && !body.at('json').isAbsent) {
    const json = body.at('json')
    if (json.isText) return { bytes: bytesOfText(json.text()) }
    return { bytes: bytesOfJson(json.value), isRespelled: true }
  }
  // An answer can be any object, which is then its JSON.
  return type === undefined ? { bytes: bytesOfJson(body.value), isRespelled: true } : undefined
}

/** JSON of a request is a rule, unless its bytes are there or all of it has to be the same. */
function requestBody(request: ForeignValue): HeldBody | undefined {
  const body = request.at('body')
  if (body.isAbsent)
    return request.at('method').value === 'GET' ? { bytes: new Uint8Array() } : undefined
  if (!body.isObject) return bodyOf(body)
  if (body.at('not').value === true) return undefined
  const isWhole = body.at('matchType').value === 'STRICT' || body.at('type').value === 'STRING'
  const hasBytes = !body.either('rawBytes', 'base64Bytes').isAbsent
  return isWhole || hasBytes ? bodyOf(body) : undefined
}

/** What the expectation asks of a request besides what the exchange has, for people. */
function rulesOf(request: ForeignValue, body: HeldBody | undefined): string | undefined {
  const known = request.fields().filter(([name, field]) => {
    if (name === 'body') return !body
    return (name === 'path' || name === 'method') && !field.isText
  })
  if (known.length > 0)
    return JSON.stringify(Object.fromEntries(known.map(([name, { value }]) => [name, value])))
  return undefined
}
