import type { ToolCallSummary, UsageSummary, WrittenResponse } from '../../../cassette/cassette.ts'
import { type JsonValue, tryParseJson } from '../../../json/json-value.ts'
import { defined, unlessEmpty } from '../../../providers/fields.ts'
import { bytesOfJson } from '../bodies.ts'
import { Collector, type HeldResponse, type WrittenAnswer } from '../collect.ts'
import type { ForeignFormat } from '../foreign.ts'
import { firstOf, hasFields, jsonIn } from '../look.ts'
import { ForeignValue } from '../foreign-value.ts'

/**
 * aimock's fixtures: rules for requests, and what a model says. Its server makes the bytes of an answer for the format
 * of whichever request meets the rules, so that there are none in the file.
 */
export const aimock: ForeignFormat = {
  name: 'aimock',
  tools: 'aimock',
  hint: /"fixtures"\s*:\s*\[/,

  recognise(file) {
    const data = jsonIn(file)
    if (!hasFields(data)) return false
    if (Object.keys(data).some((name) => sectionOf(name, data[name]))) return true
    if (!Array.isArray(data.fixtures)) return false
    const first = firstOf(data.fixtures)
    if (!first || (hasFields(first.match) && (first.response !== undefined || isOfAgUi(first))))
      return true
    return 'its first fixture has no match and response'
  },

  read(file, options) {
    const collector = new Collector(file, this.name, options)
    const data = new ForeignValue(file.name, file.json())
    for (const [name, { value }] of data.fields())
      for (let left = sectionOf(name, value)?.length ?? 0; left > 0; left--)
        leaveOutOther(name, collector)
    for (const fixture of data.at('fixtures').items()) {
      if (isOfAgUi(fixture.object())) leaveOutOther('agui', collector)
      else addFixture(fixture, collector)
    }
    return [collector.recording]
  },
}

/** What a file can have for protocols other than those of models, and the list in it. */
const OTHER_PROTOCOLS: Record<string, string> = {
  a2a: 'agents',
  agui: 'fixtures',
  mcp: 'tools',
  mcpFakes: 'tools',
  vector: 'collections',
}

/** The list for another protocol. */
function sectionOf(name: string, section: unknown): unknown[] | undefined {
  if (!Object.hasOwn(OTHER_PROTOCOLS, name) || !hasFields(section)) return undefined
  const list = section[OTHER_PROTOCOLS[name]!]
  return Array.isArray(list) ? list : undefined
}

function isOfAgUi(fixture: Record<string, unknown>): boolean {
  return fixture.response === undefined && (Array.isArray(fixture.events) || 'text' in fixture)
}

function leaveOutOther(protocol: string, collector: Collector): void {
  collector.leaveOut(`what is for ${protocol}, which is no call of a model`)
}

function addFixture(fixture: ForeignValue, collector: Collector): void {
  const response = fixture.at('response')
  for (const [name] of fixture.fields())
    if (!['match', 'response', 'recordedTimings'].includes(name))
      collector.leaveOut(`the ${name} of a fixture`)
  const durationMs = fixture.at('recordedTimings', 'totalDurationMs').numberIfAny()
  const asked = { rules: rulesOf(fixture.at('match')), place: fixture }
  const answered = (): ReturnType<typeof answerOf> => {
    const answer = answerOf(response)
    if (typeof answer === 'string') return answer
    for (const [name] of response.fields())
      if (!READ.test(name)) collector.leaveOut(`the ${name} of an answer`)
    if (hasOtherOrder(response.at('blocks').items()))
      collector.leaveOut('that an answer calls a tool before it says something')
    const calls = [...response.at('toolCalls').items(), ...response.at('blocks').items()]
    for (const call of calls)
      if (!call.at('id').isAbsent) collector.leaveOut('the id of a tool call')
    return answer
  }
  collector.add(asked, answered, { durationMs })
}

/** The rules, for people: `userMessage: "hello", sequenceIndex: 1`. */
function rulesOf(match: ForeignValue): string {
  const rules = match
    .fields()
    .filter(([, { isAbsent }]) => !isAbsent)
    .map(([name, { value }]) => `${name}: ${JSON.stringify(value)}`)
  return rules.length > 0 ? rules.join(', ') : 'any request'
}

/** The fields of an answer that are read. */
const READ = /^(?:content|toolCalls|blocks|reasoning|finishReason|usage|error|status|json)$/

/** Answers that are no words, and whose format is that of their endpoint. */
const WORDLESS: Record<string, string> = {
  embedding: 'an embedding, of which the file holds the numbers alone',
  image: 'a picture, of which the file holds no answer around it',
  images: 'a picture, of which the file holds no answer around it',
  audio: 'speech, of which the file holds no answer around it',
  transcription: 'a transcription, of which the file holds no answer around it',
  video: 'a video, of which the file holds no answer around it',
}

function answerOf(response: ForeignValue): WrittenAnswer | HeldResponse | string {
  const fields = Object.keys(response.object())
  const json = response.at('json')
  if (!json.isAbsent)
    return {
      status: response.at('status').isAbsent ? 200 : response.at('status').status(),
      headers: [['content-type', 'application/json']],
      body: bytesOfJson(json.value),
      place: response,
    }
  const error = response.at('error')
  if (!error.isAbsent) return { written: errorOf(error, response.at('status')) }
  const wordless = fields.find((name) => Object.hasOwn(WORDLESS, name))
  if (wordless !== undefined) return WORDLESS[wordless]!
  if (!fields.some((name) => ['content', 'toolCalls', 'blocks'].includes(name)))
    return 'a fixture without an answer in words'
  return { written: wordsOf(response) }
}

function errorOf(error: ForeignValue, status: ForeignValue): WrittenResponse {
  return {
    text: '',
    error: error.at('message').text(),
    // That of its server, where the fixture names none.
    status: status.isAbsent ? 500 : status.status(),
  }
}

function wordsOf(response: ForeignValue): WrittenResponse {
  const blocks = response.at('blocks').items()
  const isCall = (block: ForeignValue): boolean => block.at('type').value === 'toolCall'
  const calls = (blocks.length > 0 ? blocks.filter(isCall) : response.at('toolCalls').items()).map(
    callOf,
  )
  const text =
    blocks.length > 0
      ? blocks
          .filter((block) => !isCall(block))
          .map((block) => block.at('text').text())
          .join('')
      : textOf(response.at('content'))
  const reasoning = response.at('reasoning').textIfAny()
  const finish = response.at('finishReason').textIfAny()
  return defined({
    text,
    reasoning,
    tool_calls: unlessEmpty(calls),
    finish_reasons: finish === undefined ? undefined : [finish],
    usage: usageOf(response.at('usage')),
  })
}

/** An answer is said first, and calls tools then. */
function hasOtherOrder(blocks: ForeignValue[]): boolean {
  const first = blocks.findIndex((block) => block.at('type').value === 'toolCall')
  return first >= 0 && blocks.slice(first).some((block) => block.at('type').value === 'text')
}

/** An author may write JSON as it is: the server sends its text. */
function textOf(content: ForeignValue): string {
  if (content.isAbsent) return ''
  return content.isText ? content.text() : JSON.stringify(content.value)
}

function callOf(call: ForeignValue): ToolCallSummary {
  const spelled = call.at('arguments')
  const value = spelled.isText ? (tryParseJson(spelled.text()) ?? spelled.text()) : spelled.value
  return { tool_name: call.at('name').text(), parameters: (value ?? {}) as JsonValue }
}

/** The names that each provider has for the same number. */
const INPUT = ['input_tokens', 'prompt_tokens', 'promptTokenCount']
const OUTPUT = ['output_tokens', 'completion_tokens', 'candidatesTokenCount']

function usageOf(usage: ForeignValue): UsageSummary | undefined {
  if (usage.isAbsent) return undefined
  const input = usage.either(...INPUT).numberIfAny()
  const output = usage.either(...OUTPUT).numberIfAny()
  return unlessEmpty(defined({ input_tokens: input, output_tokens: output }))
}
