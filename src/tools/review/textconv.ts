import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Cassette } from '../../cassette/cassette.ts'
import { printContent } from '../../diff/print-content.ts'
import { CassetteError } from '../../errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value.ts'
import type { Message } from '../../prompt/prompt.ts'
import { jsonObject } from '../../providers/fields.ts'
import { sha256 } from '../../prompt/sha256.ts'
import { Veil } from '../../secrets/veil.ts'
import { printable } from '../../text/printable.ts'
import type { WireRequest } from '../../wire/message.ts'
import { askedAddress } from '../compare/compare-addresses.ts'
import { type CassetteState, headOf } from '../compare/compare-cassettes.ts'
import { marksOfAnswer, marksOfRequest } from '../compare/marks.ts'
import { type ReadExchange, readExchanges } from '../compare/read-exchanges.ts'
import type { Git } from '../programs/git.ts'
import { stateOf } from './git-states.ts'

/** The text of a file that git compares; unchanged if it is no readable cassette. */
export function textconv(file: string, git: Git): string {
  const bytes = readFileSync(resolve(git.cwd, file))
  const state = stateOf(bytes, (name) => findBlob(name, file, git))
  return state.cassette ? renderTextconv(state.cassette, state) : state.text
}

/** Finds a picture. Git may hand over a copy that lies elsewhere, so all `blobs` folders here are searched. */
function findBlob(name: string, file: string, git: Git): Buffer {
  const beside = join(dirname(resolve(git.cwd, file)), '..', 'blobs', name)
  if (existsSync(beside)) return readFileSync(beside)
  const found = git.try(['ls-files', '-z', '--', `:(glob)**/blobs/${name}`])
  const path = join(git.cwd, found?.split('\0')[0] ?? '')
  if (found && existsSync(path)) return readFileSync(path)
  throw new CassetteError('invalid-cassette', `its file blobs/${name} is missing`)
}

/**
 * Renders a cassette as lines of text that git compares: prompts and answers, each message once. The last line is a
 * hash of the file, so that a change in its other parts shows too.
 */
function renderTextconv(cassette: Cassette, state: CassetteState): string {
  const { conversationId, timestamp, oldestAnswer } = cassette
  let before: JsonObject = {}
  const exchanges = readExchanges(cassette)
  const blocks = exchanges.map((exchange) => {
    const settings = settingsOf(exchange)
    const changed = Object.keys({ ...before, ...settings }).filter(
      (name) => print(before[name]) !== print(settings[name]),
    )
    before = settings
    const told = changed.flatMap((name) => field(name, settings[name] ?? '(no longer sent)'))
    return [`exchange ${exchange.number}`, ...told, ...messagesOf(exchange)].join('\n')
  })
  const head = [
    `test: ${conversationId}`,
    // How long a recording is valid is counted in days.
    `recorded: ${timestamp.slice(0, 10)}${oldestAnswer ? ` (oldest answer: ${oldestAnswer.slice(0, 10)})` : ''}`,
    ...fieldsOf(headOf(state)),
  ]
  const end = `hash of the whole file, hidden parts included: ${sha256(state.text).slice(0, 12)}`
  const shown = exchanges.map((one) => [one.prompt, one.answer, one.exchange.wire ?? ''])
  const text = `${[head.join('\n'), ...blocks, end].join('\n\n')}\n`
  // Git compares it with a text of another process.
  return printable(new Veil(process.env, { marks: 'digests' }).learn(...shown).hide(text))
}

function settingsOf({ prompt, exchange: { wire } }: ReadExchange): JsonObject {
  const { provider, operation, model, parameters, headers, tools } = prompt
  const named = tools.map(({ name, ...rest }) => [`tool ${name}`, rest as unknown as JsonObject])
  return {
    ...(wire ? { address: addressText(wire.request), ...marksOfRequest(wire.request) } : {}),
    ...jsonObject({ provider, operation, model }),
    ...parameters,
    ...jsonObject({ headers }),
    ...(Object.fromEntries(named) as JsonObject),
  }
}

/** What counts of an address, on one line. */
function addressText(request: WireRequest): string {
  const { method, endpoint, path = '', query } = askedAddress(request)
  const place = `${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
  return [method, endpoint, place].filter(Boolean).join(' ')
}

function messagesOf({ fresh, answer, step, exchange }: ReadExchange): string[] {
  const { inputTokens, outputTokens } = step.completion.usage ?? {}
  const marks = Object.entries(marksOfAnswer(exchange)).map(
    ([name, value]): [string, JsonValue] => [name, (value === true && MEANINGS[name]) || value!],
  )
  return [
    ...fresh.map((message) => block(message.role, message)),
    block('answer', answer, Object.fromEntries(marks)),
    ...(outputTokens === undefined ? [] : [`tokens: ${inputTokens ?? 0} + ${outputTokens}`]),
  ]
}

/** What a mark means, where its name does not say it. */
const MEANINGS: Readonly<Record<string, string>> = {
  kept: 'it was given to an earlier prompt, and no model was asked this one',
  cut: 'the connection broke',
}

function block(title: string, { parts, extra, role }: Message, marks: JsonObject = {}): string {
  const said = printContent({ type: 'message', message: { role, parts } }).split('\n')
  const beside = [...fieldsOf(marks), ...fieldsOf(extra ?? {})]
  return [`${title}:`, ...[...said, ...beside].map((line) => `  ${line}`)].join('\n')
}

function fieldsOf(fields: JsonObject): string[] {
  return Object.entries(fields).flatMap(([name, value]) => field(name, value!))
}

/** A value with every field of it on a line of its own. */
function field(name: string, value: JsonValue): string[] {
  if (typeof value === 'string') {
    const lines = value.split('\n')
    return lines.length === 1 ? [`${name}: ${value}`] : [`${name}:`, ...indent(lines)]
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return [`${name}: ${print(value)}`]
  return [`${name}:`, ...indent(Object.entries(value).flatMap(([key, one]) => field(key, one!)))]
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}

function print(value: JsonValue | undefined): string {
  return value === undefined ? '' : printContent({ type: 'value', value })
}
