import { expect, test } from 'vitest'
import { dialectOf } from '../../src/providers/dialects.ts'
import { isSecret } from '../../src/secrets/known-values.ts'
import { redactorFor, type Redactor } from '../../src/secrets/redactor.ts'
import { splitIn } from './split-in.ts'
import type { WireRequest, WireResponse } from '../../src/wire/message.ts'
import { corpusCassettes } from '../corpus-cassettes.ts'
import { eachCorpus } from '../corpus.ts'
import { credentials } from '../reliability/credentials.ts'

interface Wire {
  request: WireRequest
  response: WireResponse
}

eachCorpus((corpus) => {
  const wires = corpusCassettes(corpus).flatMap(({ exchanges }) =>
    exchanges.map(({ wire }) => wire as Wire),
  )

  test('nothing is touched in what holds no credential', { timeout: 120_000 }, () => {
    const env = credentials.map(({ value }, index) => [`KEY_${index}_TOKEN`, value])
    const redactor = redactorWith(Object.fromEntries(env))
    const different = wires.filter(({ request, response }) => {
      const kept = [redactor.request(request), redactor.response(response)]
      return JSON.stringify(kept) !== JSON.stringify([request, response])
    })
    expect(different.map(({ request }) => request.url)).toEqual([])
  })

  test('no two texts that stand side by side look like a credential', () => {
    const found = corpusCassettes(corpus).flatMap(({ exchanges }) => splitIn(exchanges))
    expect(found.map(({ rule, secret }) => [rule, secret])).toEqual([])
  })

  test('what an answer says is replaced in the form in which it was sent, streams too', () => {
    let count = 0
    for (const { request, response } of wires) {
      const dialect = dialectOf(request)
      const { text } = dialect.readCompletion(response)
      const value = text.slice(5, 35).trim()
      // In JSON a credential is one text; what no dialect quotes is shown as it came, or described.
      if (!isSecret('SAID_SECRET', value) || /^\s*(?:[[{]|data:|event:|\d+[ :])/.test(text))
        continue
      count++
      const kept = redactorWith({ SAID_SECRET: value }).response(response)
      const expected = text.replaceAll(value, '<REDACTED:SAID_SECRET>')
      expect(dialect.readCompletion(kept).text, request.url).toBe(expected)
      expect(JSON.stringify(kept)).not.toContain(JSON.stringify(value).slice(1, -1))
    }
    console.log(`a value was replaced in ${count} answers`)
    expect(count).toBeGreaterThan(corpus.length / 5)
  })
})

function redactorWith(env: Record<string, string>): Redactor {
  return redactorFor([], new URL('https://api.openai.com/v1/chat/completions'), [], env)
}
