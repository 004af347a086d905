import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { packValue } from '../../src/json/pack.ts'
import { unpackValue } from '../../src/json/unpack.ts'

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

test.for([
  [{ rules: ['a', () => []] }, 'rules.1 is a function'],
  [{ speakers: [new Script()] }, 'speakers.0 is an object of the class Script'],
  [{ speakers: [{ name: 'a', handleStep() {} }] }, 'speakers.0.handleStep is a function'],
  [{ since: new Date(0) }, 'since is an object of the class Date'],
  [{ hosts: [new URL('http://localhost')] }, 'hosts.0 is an object of the class URL'],
  [{ hosts: new Set(['a']) }, 'hosts is an object of the class Set'],
  [{ prices: new Map() }, 'prices is an object of the class Map'],
  [{ bytes: new Uint8Array(1) }, 'bytes is an object of the class Uint8Array'],
  [{ limit: Number.NaN }, 'limit is NaN'],
  [{ limit: -Infinity }, 'limit is -Infinity'],
  [{ limit: 10n }, 'limit is 10'],
  [{ name: Symbol('a') }, 'name is Symbol(a)'],
] as const)('%o is refused, with its place', ([value, message]) => {
  expect(() => packValue(value, refuse)).toThrow(message)
})
