import stableStringify from 'fast-json-stable-stringify'
import { isRecorded, type Exchange } from '../../cassette/cassette.ts'
import { describeTurns } from '../../recording/describe.ts'
import { readIncoming } from '../../engine/incoming.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { quoteValue, RESTORE, type CassetteCheck, type Remark } from './check.ts'

/** Reviewers read `prompt` and `response`, but replay uses `wire`. Both have to say the same. */
export const readableHalf: CassetteCheck = {
  name: 'readable-half',
  find({ cassette: { exchanges } }) {
    const described = describeTurns(
      exchanges.map((exchange) => {
        if (!isRecorded(exchange)) return exchange
        const { request, response } = exchange.wire
        return { incoming: readIncoming(request), response, kept: exchange.response.kept }
      }),
    )
    return exchanges.flatMap((exchange, index) =>
      isRecorded(exchange) ? compare(exchange, described[index]!, `/exchanges/${index}`) : [],
    )
  },
}

function compare(shown: Exchange, real: Exchange, place: string): Remark[] {
  const { timestamps: _, ...metadata } = shown.prompt.metadata
  const { duration_ms: __, tool_calls: calls = [], ...said } = shown.response
  const { tool_calls: realCalls = [], ...realSaid } = real.response
  return [
    ...compareFields({ text: shown.prompt.text }, { text: real.prompt.text }, `${place}/prompt`),
    ...compareFields(metadata, real.prompt.metadata, `${place}/prompt/metadata`),
    ...compareFields(fieldsOf(said), fieldsOf(realSaid), `${place}/response`),
    ...compareCalls(calls.map(fieldsOf), realCalls.map(fieldsOf), `${place}/response/tool_calls`),
  ]
}

function compareCalls(shown: JsonObject[], real: JsonObject[], place: string): Remark[] {
  if (shown.length !== real.length) {
    const problem = `It shows ${shown.length} tool calls, and the answer that is replayed has ${real.length}. ${RESTORE}`
    return [{ place, problem }]
  }
  return shown.flatMap((call, index) => {
    // An import adds the result of the last call, which no request contains.
    const { result, ...rest } = call
    const compared = real[index]!.result === undefined ? rest : { ...rest, result: result ?? null }
    return compareFields(compared, real[index]!, `${place}/${index}`)
  })
}

function compareFields(shown: JsonObject, real: JsonObject, place: string): Remark[] {
  const names = [...new Set([...Object.keys(shown), ...Object.keys(real)])]
  return names.flatMap((name) => {
    if (same(shown[name], real[name])) return []
    const problem = `It shows ${quoteValue(shown[name])}, but the half that is matched and replayed says ${quoteValue(real[name])}. ${RESTORE}`
    return [{ place: `${place}/${name}`, problem }]
  })
}

function fieldsOf(value: object): JsonObject {
  return value as JsonObject
}

function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return stableStringify([one]) === stableStringify([other])
}
