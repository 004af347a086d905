import { expect, test } from 'vitest'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { redactorFor } from '../../src/secrets/redactor.ts'
import { textOf } from '../../src/wire/body.ts'
import { readingsOf, scanText } from '../../src/secrets/find/scan-text.ts'
import { times } from '../effort.ts'
import { fill } from '../reliability/made-up.ts'
import { exchangesOf, store } from '../reliability/places.ts'

const MEGABYTES = times(2 ** 18, 2 ** 20)

const VALUE = fill('[word 24]', 'known')

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const known = base64(`x${VALUE}y`)

test.for<[what: string, text: string]>([
  ['a picture', `iVBORw0KGgo${'Ab3/'.repeat(3 * MEGABYTES)}`],
  [
    'a text in base64',
    Buffer.from('hello there you ')
      .toString('base64')
      .slice(0, 20)
      .repeat(0.4 * MEGABYTES),
  ],
  ['JSON in base64', `eyJ${'aB3_'.repeat(3 * MEGABYTES)}`],
  ['what begins like a key', `${'sk-ant'}-api03-${'aB3_'.repeat(3 * MEGABYTES)}`],
  ['hexadecimal digits', '6162'.repeat(3 * MEGABYTES)],
  ['what begins like something compressed', `H4sI${'Ab3/'.repeat(3 * MEGABYTES)}`],
  ['a known value amid base64', 'Ab3/'.repeat(MEGABYTES) + known + 'Ab3/'.repeat(MEGABYTES)],
  ['one word', 'a'.repeat(12 * MEGABYTES)],
  ['a list of bytes', `${'115, '.repeat(2 * MEGABYTES)}1`],
])('%s of megabytes is read, scanned and redacted', async ([, text]) => {
  const url = 'https://api.openai.com/v1/chat/completions'
  const redactor = redactorFor([], new URL(url), [], { A_KEY: VALUE })
  const body = { kind: 'text', text } as const
  const redacted = textOf(redactor.request({ method: 'POST', url, body }).body)
  // Not compared by `toBe`, whose diff of megabytes takes minutes.
  expect(redacted === text.replace(known, base64('x<REDACTED:A_KEY>y'))).toBe(true)
  for (const reading of readingsOf(text)) scanText(reading)
})

test('scanning does as much for each credential, however many there are', async () => {
  const few = await workFor(times(200, 400))
  const many = await workFor(times(1_600, 3_200))
  expect(many / few).toBeLessThan(8.5)
})

test('most of very many findings are only counted', async () => {
  const keys = Array.from({ length: 2_000 }, (_, index) => keyOf(index))
  const { secrets, more } = await findSecrets(...scanned(keys))
  expect(secrets).toHaveLength(50)
  expect(more).toBe(1_950)
})

function scanned(keys: readonly string[]): Parameters<typeof findSecrets> {
  const stored = store([{ prompt: keys.join(' ') }], {})
  return [stored, exchangesOf(stored)]
}

function keyOf(index: number): string {
  return fill('sk|-ant-api03-[urlsafe 93]AA', String(index))
}

/** How often the scan asks for a match or compares texts, among so many credentials. */
async function workFor(credentials: number): Promise<number> {
  const keys = Array.from({ length: credentials }, (_, index) => keyOf(index))
  const parts = scanned(keys)
  let count = 0
  const restore = [
    countCalls(RegExp.prototype, 'exec', () => count++),
    countCalls(String.prototype, 'includes', () => count++),
    countCalls(String.prototype, 'startsWith', () => count++),
  ]
  try {
    await findSecrets(...parts)
    return count
  } finally {
    for (const undo of restore) undo()
  }
}

/** What `vi.spyOn` does without keeping what millions of calls got. Returns what undoes it. */
function countCalls<T extends object>(object: T, name: keyof T, called: () => void): () => void {
  const real = object[name] as (...args: unknown[]) => unknown
  const counted = function (this: unknown, ...args: unknown[]): unknown {
    called()
    return Reflect.apply(real, this, args)
  }
  object[name] = counted as T[keyof T]
  return () => void (object[name] = real as T[keyof T])
}
