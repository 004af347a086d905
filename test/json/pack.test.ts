import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { packValue } from '../../src/json/pack.ts'
import { unpackValue } from '../../src/json/unpack.ts'
import { expectGolden } from '../golden.ts'

const refuse = (place: string, what: string): Error => new Error(`${place} is ${what}`)
const cross = (value: object): unknown =>
  unpackValue(JSON.parse(JSON.stringify(structuredClone(packValue(value, refuse)))) as string)

const VALUES = {
  expressions: [/a\/b\n+/, /./dgimsuy, /[\p{L}--[a-z]]/v, new RegExp('')],
  ofAnotherRealm: runInNewContext('({ list: [/lot-\\d+/iu, "text"], nested: { on: true } })'),
  numbers: [0, -1.5, 1e-7, 1e21, Infinity],
  texts: ['', '/not an expression/', '"', '\u2028', '\ud800', '__proto__'],
  nothing: [null, false],
  nested: { deep: [{ rule: /x/u, times: Infinity }] },
}

test('what JSON and a structured clone would lose crosses both', () => {
  const arrived = cross(VALUES) as typeof VALUES
  expect(arrived).toEqual(VALUES)
  expect(arrived.expressions.map(String)).toEqual(VALUES.expressions.map(String))
  expect(arrived.ofAnotherRealm.list[0]).toBeInstanceOf(RegExp)
  const odd = JSON.parse('{ "__proto__": [1] }') as object
  expect(Object.entries(cross(odd) as object)).toEqual([['__proto__', [1]]])
})

test('an expression arrives at its beginning, and undefined fields are absent', () => {
  const used = /a/g
  used.test('aa')
  expect((cross({ used }) as { used: RegExp }).used.lastIndex).toBe(0)
  expect(Object.keys(cross({ absent: undefined }) as object)).toEqual([])
})

class Script {
  name = 'script'
  handleStep(): void {}
}

const refused = [
  [{ rules: ['a', () => []] }, /^rules\.1 .*function/],
  [{ speakers: [new Script()] }, /^speakers\.0 .* Script/],
  [{ speakers: [{ name: 'a', handleStep() {} }] }, /^speakers\.0\.handleStep .*function/],
  [{ since: new Date(0) }, /^since .* Date/],
  [{ hosts: [new URL('http://localhost')] }, /^hosts\.0 .* URL/],
  [{ hosts: new Set(['a']) }, /^hosts .* Set/],
  [{ prices: new Map() }, /^prices .* Map/],
  [{ bytes: new Uint8Array(1) }, /^bytes .* Uint8Array/],
  [{ limit: Number.NaN }, /^limit .*NaN/],
  [{ limit: -Infinity }, /^limit .*-Infinity/],
  [{ limit: 10n }, /^limit .*10/],
  [{ name: Symbol('a') }, /^name .*Symbol\(a\)/],
] as const

test.for(refused)('%o is refused, with its place', ([value, named]) => {
  expect(() => packValue(value, refuse)).toThrow(named)
})

test('each value that cannot be packed is refused with its kind', async () => {
  const reasons = refused.map(([value]) => {
    try {
      return packValue(value, refuse)
    } catch (error) {
      return (error as Error).message
    }
  })
  await expectGolden(reasons.join('\n'), 'refused-values')
})
