import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RedactRule } from '../../src/config/option-values.ts'
import { redactKnown, redactorFor } from '../../src/secrets/redactor.ts'
import { readText, textOf, type Body } from '../../src/wire/body.ts'
import { readBody } from '../../src/wire/read-body.ts'
import { bodyOfEvents, spelledIn, SPELLINGS } from './spelled-in.ts'
import { expectGolden, failuresOf } from '../golden.ts'

const URL_ASKED = 'https://api.openai.com/v1/chat/completions'

/** Finds nothing. With a rule, every body is searched: looking first is a matter of speed alone. */
const NEVER = /(?!)/

function redacted(
  body: Body,
  env: Record<string, string>,
  rules: RedactRule[] = [],
  headers: Array<[string, string]> = [],
): Body {
  const forms = [rules, [...rules, NEVER]].flatMap((some) => {
    const redactor = redactorFor(headers, new URL(URL_ASKED), some, env)
    return [
      redactor.request({ method: 'POST', url: URL_ASKED, body }).body,
      redactor.response({ status: 200, headers: {}, body }).body,
    ]
  })
  for (const form of forms) expect(form).toEqual(forms[0])
  return forms[0]!
}

function redactedText(text: string, env: Record<string, string>, rules?: RedactRule[]): string {
  const body = redacted(readText(JSON.stringify({ text })), env, rules)
  return (JSON.parse(textOf(body)) as { text: string }).text
}

const KEY = 'q7Lw0Z+tr/9Xk"2m\\Pe'

test.for(['', '?version=2', '?of=k3y-k3y-k3y-k3y'])(
  'a known value in the path of an address is replaced, whatever its query: %s',
  (query) => {
    const key = 'k3y-k3y-k3y-k3y'
    const redactor = redactorFor([], new URL(URL_ASKED), [], { SOME_API_KEY: key })
    const url = `https://llm.example.com/v1/${key}/chat${query}`
    const kept = redactor.request({ method: 'POST', url, body: { kind: 'empty' } }).url
    expect(kept).not.toContain(key)
    expect(kept).toMatch(/REDACTED.*\/chat/)
  },
)

describe('a known value is replaced by the name of its variable', () => {
  const placeholder = '<REDACTED:ACME_API_KEY>'

  test.for(SPELLINGS)('%s', ([name, spell]) => {
    for (const before of ['', 'a', 'ab', 'abc ']) {
      const text = redactedText(spell(`${before}${KEY} is it`), { ACME_API_KEY: KEY })
      expect(text).toBe(
        name === 'in base64'
          ? spell(`${before}${placeholder} is it`).replace(/=+$/, '')
          : spell(before) + placeholder + spell(' is it'),
      )
    }
  })

  test('as a key of an object, and in bytes that are no text', () => {
    const body = redacted(readText(JSON.stringify({ [KEY]: 1 })), { ACME_API_KEY: KEY })
    expect(textOf(body)).toBe('{"<REDACTED:ACME_API_KEY>":1}')
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(KEY), Buffer.from([0xff])])
    const result = redacted(readBody(bytes), { ACME_API_KEY: KEY })
    expect(result.kind === 'bytes' && Buffer.from(result.bytes).includes(KEY)).toBe(false)
  })

  test('in an answer that streams, wherever it is cut', () => {
    const redactor = redactorFor([], new URL(URL_ASKED), [], { A_KEY: KEY })
    const answer = (body: Body): Body => redactor.response({ status: 200, headers: {}, body }).body
    const rest = textOf(bodyOfEvents(['It is ', '<REDACTED:A_KEY>', '', '.']))
    for (let at = 1; at < KEY.length; at++) {
      const body = bodyOfEvents(['It is ', KEY.slice(0, at), KEY.slice(at), '.'])
      expect(textOf(answer(body))).toBe(rest)
      const mistyped: Body = { kind: 'text', text: textOf(body) }
      expect(answer(mistyped)).toEqual({ kind: 'text', text: rest })
    }
  })
})

test('in the bytes of tokens, and of a Buffer, beside their texts', () => {
  const tokens = [KEY.slice(0, 7), KEY.slice(7, 12), KEY.slice(12)]
  const content = ['Use ', ...tokens].map((token) => ({ token, bytes: [...Buffer.from(token)] }))
  const body = readText(JSON.stringify({ logprobs: { content }, data: Buffer.from(`a ${KEY}`) }))
  const kept = JSON.parse(textOf(redacted(body, { A_KEY: KEY }))) as {
    logprobs: { content: Array<{ token: string; bytes: number[] }> }
    data: { data: number[] }
  }
  const said = kept.logprobs.content.map(({ token, bytes }) => [
    token,
    Buffer.from(bytes).toString(),
  ])
  expect(said).toEqual([
    ['Use ', 'Use '],
    ['<REDACTED:A_KEY>', '<REDACTED:A_KEY>'],
    ['', ''],
    ['', ''],
  ])
  expect(Buffer.from(kept.data.data).toString()).toBe('a <REDACTED:A_KEY>')
})

test('in lists of bytes with a line for each', () => {
  const lines = (bytes: unknown): string => JSON.stringify(bytes, null, 12)
  const typed = readText(JSON.stringify({ data: new Uint8Array(Buffer.from(KEY)) }, null, 2))
  expect(textOf(redacted(typed, { A_KEY: KEY }))).toBe(
    JSON.stringify({ data: new Uint8Array(Buffer.from('<REDACTED:A_KEY>')) }, null, 2),
  )
  for (const bytes of [[...Buffer.from(KEY)], new Uint8Array(Buffer.from(KEY))]) {
    const text = redactedText(`Is ${lines(bytes).replaceAll(/\n {12}/g, '\n')} it?`, { A_KEY: KEY })
    expect(text).not.toMatch(/113,\s(?:"1": )?55/)
  }
})

describe('a value that chance has made is replaced however it is disguised', () => {
  const value = 'q7Lw0Z-tr9Xk2mPe_Ub4'
  const lines = (text: string): string => text.replaceAll(/.{9}/g, '$&\n')
  const base64 = (text: string | Uint8Array): string => Buffer.from(text).toString('base64')

  test.for<[how: string, disguised: string]>([
    ['in capitals', value.toUpperCase()],
    ['in small letters', value.toLowerCase()],
    ['in hexadecimal digits', Buffer.from(value).toString('hex')],
    ['in capital hexadecimal digits', Buffer.from(`a ${value}`).toString('hex').toUpperCase()],
    ['in bytes', Buffer.from(value).toString('hex').replaceAll(/../g, '$& ')],
    ['in entities of HTML', Array.from(value, (one) => `&#${one.charCodeAt(0)};`).join('')],
    [
      'in hexadecimal entities',
      Array.from(value, (one) => `&#x${one.charCodeAt(0).toString(16)};`).join(''),
    ],
    ['in lines', lines(value)],
    ['in letters', Array.from(value).join(' ')],
    ['in two texts of a program', value.replace('tr9', `tr9' + '`)],
    ['with joiners of no width', Array.from(value).join('\u200b')],
    ['with tags', Array.from(value).join('\u{e0041}')],
    ['with a soft hyphen', value.replace('9', '9\u00ad')],
    ['in base64 with line breaks', lines(base64(`user:${value}!`))],
    ['in base64 twice', base64(base64(`user:${value}!`))],
    ['in base64 twice, elsewhere', base64(`x ${base64(`a ${value}`)} y`)],
    ['compressed', base64(gzipSync(`my key is ${value}`))],
    ['compressed in hexadecimal digits', gzipSync(value).toString('hex')],
    ['compressed by zlib', base64(deflateSync(`my key is ${value}`))],
    ['in UTF-16', base64(Buffer.from(`my key is ${value}`, 'utf16le'))],
    ['in a list of bytes', `[${[...Buffer.from(value)].join()}]`],
  ])('%s', ([, disguised]) => {
    const text = redactedText(`It is ${disguised}, see.`, { ACME_API_KEY: value })
    const said = text.replace(/\[([\d,]+)\]/, (_, list: string) =>
      Buffer.from(list.split(',').map(Number)).toString(),
    )
    expect(said).toMatch(/^It is .*<REDACTED:ACME_API_KEY>.*, see\.$/s)
    expect(text.replaceAll(/[^a-z0-9]/gi, '').toLowerCase()).not.toContain('tr9xk2')
  })

  test('compressed, it leaves nothing that depends on its length', () => {
    const packed = (secret: string): string =>
      redactedText(`It is ${base64(gzipSync(`my key is ${secret}`))}, see.`, {
        ACME_API_KEY: secret,
      })
    const texts = ['', 'a', 'ab', 'abc'].map((more) => packed(value + more))
    expect(texts[0]).toMatch(/^It is <REDACTED:ACME_API_KEY>\+[0-9a-f]{12}, see\.$/)
    expect(new Set(texts).size).toBe(1)
  })

  test('words are not replaced, whatever is between them', () => {
    const text = 'The refresh token rotation is enabled: REFRESH_TOKEN_ROTATION_ENABLED.'
    expect(redactedText(text, { A_SECRET: 'refresh-token-rotation' })).toBe(text)
  })
})

test('a value that is sent to authenticate is known without a variable', () => {
  const ask = readText(JSON.stringify({ text: `Is ${'k3y'.repeat(8)} mine?` }))
  const forms: Array<[string, string]> = [
    ['authorization', `Bearer ${'k3y'.repeat(8)}`],
    ['x-api-key', 'k3y'.repeat(8)],
    ['authorization', `Basic ${Buffer.from(`me:${'k3y'.repeat(8)}`).toString('base64')}`],
    ['authorization', `AWS4-HMAC-SHA256 Credential=${'k3y'.repeat(8)}/20260102/eu-west-1, X=1`],
  ]
  for (const header of forms) {
    expect(textOf(redacted(ask, {}, [], [header]))).toBe(
      `{"text":"Is <REDACTED:${header[0]}> mine?"}`,
    )
  }
})

test('prompts agree whatever the value of a variable is', () => {
  const prompt = (value: string): string =>
    redactedText(`Use ${value} and ${Buffer.from(`a:${value}, b`).toString('base64url')}.`, {
      ACME_TOKEN: value,
    })
  const arbitrary = fc
    .string({ minLength: 16, maxLength: 80, unit: 'grapheme-ascii' })
    .map((text) => text.trim())
  fc.assert(
    fc.property(arbitrary.filter(isTelling), arbitrary.filter(isTelling), (one, other) => {
      expect(prompt(one)).toBe(prompt(other))
    }),
  )
})

test.for([
  ['TOKEN', 'test'],
  ['SECRET', 'true'],
  ['API_KEY', 'changeme'],
  ['DB_PASSWORD', 'postgres'],
  ['MAX_TOKEN', '4096000000000000000'],
  ['SSH_AUTH', '/run/user/1000/agent.sock'],
  ['AUTH_URL', 'https://login.acme.io/oauth/authorize'],
  ['AUTH_HOST', 'login-service.acme.io'],
  ['PATH', '/usr/local/sbin:/usr/local/bin'],
  ['EDITOR_THEME', 'solarized-dark-theme'],
  ['OPENAI_API_KEY', 'sk-replay-no-network'],
])('%s=%s is no credential that could be told from words', ([name, value]) => {
  const text = `My ${value} is ${value}.`
  expect(redactedText(text, { [name!]: value! })).toBe(text)
})

test('the password of a connection string is known too', () => {
  const env = { DATABASE_URL: 'postgres://app:s3cr3tWord@db.acme.io/app' }
  expect(redactedText(`s3cr3tWord, ${env.DATABASE_URL}`, env)).toBe(
    '<REDACTED:DATABASE_URL>, <REDACTED:DATABASE_URL>',
  )
})

/** Values as people have them, and everything around them. */
const values = fc
  .string({ minLength: 8, maxLength: 60, unit: 'grapheme' })
  .map((text) => text.trim())
  .filter(isTelling)

test('no value is left in any spelling, and nothing else is touched', () => {
  fc.assert(
    fc.property(
      values,
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(...SPELLINGS),
      (value, before, after, [, spell]) => {
        const free = !before.includes(value) && !after.includes(value)
        fc.pre(free && spelledIn(before + after, value).length === 0)
        const text = redactedText(spell(before + value + after), { A_SECRET: value })
        expect(spelledIn(text, value)).toEqual([])
        expect(redactedText(spell(before + after), { A_SECRET: value })).toBe(spell(before + after))
      },
    ),
    { numRuns: 500 },
  )
})

test('what the user describes is replaced by the name of the rule', async () => {
  function customer(text: string): string[] {
    return text.match(/C-\d+/g) ?? []
  }
  expect(redactedText('C-1 has ticket 77, C-2 none', {}, [/ticket \d+/, customer])).toBe(
    '<REDACTED:customer.1> has <REDACTED:rule.1>, <REDACTED:customer.2> none',
  )
  const fails: RedactRule = () => {
    throw new Error('oops')
  }
  const wrong = (() => 'C-1') as unknown as RedactRule
  const failures = await failuresOf([
    ['a rule that throws', () => redactedText('x', {}, [fails])],
    ['a rule that returns a text', () => redactedText('x', {}, [wrong])],
  ])
  expect(failures).toMatch(/ fails .*: Error: oops\n[^]* wrong /)
  await expectGolden(failures, 'broken-rules')
})

function isTelling(value: string): boolean {
  return value.length >= 16 && !/^[\d.,:-]+$|^(?:\.{0,2}|~)\/|^[a-z]:\\|^https?:/i.test(value)
}

test('a line that is kept elsewhere has no known secret either', () => {
  const env = { SHOP_API_KEY: 'k3y-of-the-shop-0123456789' }
  expect(redactKnown('expected k3y-of-the-shop-0123456789', env)).toBe(
    'expected <REDACTED:SHOP_API_KEY>',
  )
})
