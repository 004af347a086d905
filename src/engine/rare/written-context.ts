import type { Exchange } from '../../cassette/format/cassette.ts'
import { contentOf, contextOf } from '../../conversation/context/context-content.ts'
import type { ContextEntry } from '../../conversation/context/context-entry.ts'
import { pairResults, type PairedCall } from '../../conversation/paired-call.ts'
import { isAssistant, isSystem } from '../../conversation/threads/keyed-messages.ts'
import { isJsonObject, tryParseJson, type JsonValue } from '../../json/json-value.ts'
import { sameJson } from '../../json/same-json.ts'
import type { Message, Part, Prompt } from '../../prompt/prompt.ts'
import { rememberFor } from '../../remember.ts'

/** One text or one call in a context or a prompt. Thoughts and pictures are left out. */
export type Statement = (SaidText | SaidCall) & {
  /** The messages of the prompt that contain it. */
  messages: Message[]
  /** The parts of these messages that contain it. A context has no parts, so they are made for the comparison. */
  parts: Part[]
}

interface SaidText {
  who: 'system' | 'user' | 'assistant'
  text: string
  userId?: string
}

interface SaidCall extends Pick<PairedCall, 'name' | 'parameters' | 'result'> {
  who: 'call'
}

/**
 * Whether a prompt is the conversation before the answer of an exchange that was made of a context, and nothing else.
 * Not compared are instructions and results of calls that the context leaves out, names of users that one of the two
 * leaves out, tools, thoughts and pictures.
 */
export function saysContext(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): boolean {
  const [said, heard] = statementsOfBoth(exchange, earlier, asked)
  return said.length === heard.length && said.every((one, index) => isSame(one, heard[index]!))
}

/** The statements of a context before the answer of an exchange, and those of a prompt, in one order. */
export function statementsOfBoth(
  exchange: Exchange,
  earlier: readonly Exchange[],
  asked: Prompt,
): [said: Statement[], heard: Statement[]] {
  return inOneOrder(ordersBefore(exchange)(earlier), ordersOf(asked))
}

/** The statements before the answer of an exchange, with earlier answers as they are replayed. */
function statementsBefore(exchange: Exchange, earlier: readonly Exchange[]): Statement[] {
  const before = earlier.flatMap((one) => {
    const context = contextOf(one)
    return context ? [...context.before.flatMap(statementsIn), ...answersOf(one)] : []
  })
  return [...before, ...(contextOf(exchange)?.before ?? []).flatMap(statementsIn)]
}

function statementsIn(entry: ContextEntry): Statement[] {
  const { text, userId, call, result } = contentOf(entry)
  const said = text === '' ? [] : [textSaid(entry.role, text, userId)]
  return call ? [...said, callSaid({ ...call, result })] : said
}

function answersOf({ response: { text, tool_calls: calls = [] } }: Exchange): Statement[] {
  const said = text === '' ? [] : [textSaid('assistant', text)]
  const called = calls.map(({ tool_name: name, parameters, result }) =>
    callSaid({ name, parameters, result }),
  )
  return [...said, ...called]
}

function textSaid(who: SaidText['who'], text: string, userId?: string): Statement {
  return { who, text, userId, messages: [], parts: [{ type: 'text', text }] }
}

function callSaid({ name, parameters, result }: Omit<SaidCall, 'who'>): Statement {
  const call: Part = { type: 'tool_call', name, arguments: parameters }
  const response: Part[] = result === undefined ? [] : [{ type: 'tool_call_response', result }]
  return { who: 'call', name, parameters, result, messages: [], parts: [call, ...response] }
}

function statementsOf({ messages }: Prompt): Statement[] {
  const statements: Statement[] = []
  let open: Array<SaidCall & Statement & PairedCall> = []
  for (const message of messages) {
    const parts = pairResults(message, open)
    const results = message.parts.filter((part) => !parts.includes(part))
    for (const call of open) {
      if (call.result === undefined) continue
      call.messages.push(message)
      call.parts.push(...takeResultOf(call, results))
    }
    open = open.filter(({ result }) => result === undefined)
    const texts = parts.filter((part) => part.type === 'text')
    const text = texts.map((part) => part.text).join('\n')
    const who = isSystem(message) ? 'system' : isAssistant(message) ? 'assistant' : 'user'
    const name = message.extra?.name
    const user = typeof name === 'string' ? { userId: name } : {}
    if (text !== '') statements.push({ who, text, ...user, messages: [message], parts: texts })
    for (const part of parts) {
      if (part.type !== 'tool_call') continue
      const { id, name: called, arguments: parameters } = part
      const own = { messages: [message], parts: [part] as Part[] }
      const call = { who: 'call' as const, id, name: called, parameters, ...own }
      open.push(call)
      statements.push(call)
    }
  }
  return statements
}

/** Finds the part with the result of a call, and removes it from those that other calls of the message can get. */
function takeResultOf({ id, result }: PairedCall, results: Part[]): Part[] {
  const place = results.findIndex(
    (part) => part.type === 'tool_call_response' && part.id === id && part.result === result,
  )
  return place < 0 ? [] : results.splice(place, 1)
}

/** Where the instructions of a conversation are compared. */
type SystemPlace = 'not' | 'first' | 'in place'

/** The statements of a conversation. Their orders are made once, since each prompt is compared with all exchanges. */
class Orders {
  readonly #statements: readonly Statement[]
  readonly #orders: Map<SystemPlace, Statement[]> = new Map()
  readonly tellsSystem: boolean
  /** Whether no instructions come later than at the beginning. */
  readonly tellsSystemFirst: boolean

  constructor(statements: readonly Statement[]) {
    this.#statements = statements
    this.tellsSystem = statements.some(isSaidBySystem)
    this.tellsSystemFirst = statements.findLastIndex(isSaidBySystem) < 1
  }

  in(place: SystemPlace): Statement[] {
    const known = this.#orders.get(place)
    if (known) return known
    const all = this.#statements
    const others = all.filter((one) => !isSaidBySystem(one))
    const first = place === 'first' ? all.filter(isSaidBySystem) : []
    const order = merge(place === 'in place' ? all : [...first, ...others])
    this.#orders.set(place, order)
    return order
  }
}

const ordersOf = rememberFor((prompt: Prompt) => new Orders(statementsOf(prompt)))

const ordersBefore = rememberFor((exchange: Exchange) =>
  rememberFor((earlier: readonly Exchange[]) => new Orders(statementsBefore(exchange, earlier))),
)

/** Many formats have one place for all instructions, and allow no two messages of one role in a row. */
function inOneOrder(said: Orders, heard: Orders): [Statement[], Statement[]] {
  const place = !said.tellsSystem ? 'not' : heard.tellsSystemFirst ? 'first' : 'in place'
  return [said.in(place), heard.in(place)]
}

function isSaidBySystem({ who }: Statement): boolean {
  return who === 'system'
}

function merge(statements: readonly Statement[]): Statement[] {
  const merged: Statement[] = []
  for (const one of statements) {
    const last = merged.at(-1)
    const isMore = last && last.who !== 'call' && last.who === one.who
    if (!isMore || idOf(last.userId) !== idOf((one as SaidText).userId)) merged.push(one)
    else {
      const text = `${last.text}\n${(one as SaidText).text}`
      const messages = [...last.messages, ...one.messages]
      merged.splice(-1, 1, { ...last, text, messages, parts: [...last.parts, ...one.parts] })
    }
  }
  return merged
}

/** Whether a statement of a prompt equals one of a context. */
export function isSame(said: Statement, heard: Statement): boolean {
  if (said.who === 'call' || heard.who === 'call') {
    if (said.who !== 'call' || heard.who !== 'call' || said.name !== heard.name) return false
    const isFound =
      said.result === undefined || sameJson(plain(said.result), plain(heard.result ?? null))
    return isFound && sameJson(said.parameters, heard.parameters)
  }
  const isUser = isOneUser(said.userId, heard.userId)
  return said.who === heard.who && isUser && sameText(said.text, heard.text)
}

/** Whether two names are those of one user, or one of them is not known. */
export function isOneUser(said: string | undefined, heard: string | undefined): boolean {
  if (said === undefined || heard === undefined) return true
  const names = namesIn(heard)
  return namesIn(said).some((name) => names.includes(name))
}

/** The user of a mention, for a comparison with that of another context entry. */
function idOf(userId: string | undefined): string | undefined {
  return userId === undefined ? undefined : namesIn(userId)[0]
}

/** The id and the name in a mention (`<@U7|Anna Smith>`), as providers accept names: without blanks and marks. */
function namesIn(userId: string): string[] {
  const plain = userId.replace(/^<@?|>$/g, '').replace(/^@/, '')
  return plain.split('|').map((name) => name.trim().replace(/[^\p{L}\p{N}_-]+/gu, '_'))
}

/** The result of a tool, whether the application sends it as JSON, as a text or as a list of one text. */
function plain(result: JsonValue): JsonValue {
  if (Array.isArray(result) && result.length === 1 && isJsonObject(result[0]!)) {
    const [{ text }] = result
    if (typeof text === 'string') return plain(text)
  }
  return typeof result === 'string' ? (tryParseJson(result) ?? result) : result
}

/** Whether two texts are equal but for white space at the ends of lines, which editors add and remove. */
export function sameText(written: string, asked: string): boolean {
  return written === asked || withoutLineEnds(written) === withoutLineEnds(asked)
}

function withoutLineEnds(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd()
}
