import { describe, expect, test } from 'vitest'
import { keepAskingHeaders } from '../../src/providers/asking-headers.ts'
import { PROVIDERS } from '../../src/providers/catalogue.ts'
import { dialects } from '../../src/providers/dialects.ts'
import { providerOf } from '../../src/providers/providers.ts'
import { testIf } from '../needs.ts'

const VARIABLE = /^[A-Z][A-Z\d_]*$/

/** A host as addresses have it, in which `*` stands for any characters. */
const HOST = /^[a-z\d*]+(?:[.-]+[a-z\d*]+)*\.[a-z]+$/

describe.each(Object.entries(PROVIDERS))('the facts about %s', (name, facts) => {
  const { hosts, keys = [], baseUrls = [], address, paths = {}, headers = {}, jobs = [] } = facts

  test('each host is a host, and is of no other provider', () => {
    expect(hosts.filter((host) => !HOST.test(host))).toEqual([])
    const asked = hosts.map((host) => `https://${host.replaceAll('*', 'a')}/`)
    expect(asked.map((url) => providerOf(new URL(url)))).toEqual(hosts.map(() => name))
  })

  test('its variables have names of variables', () => {
    expect([...keys, ...baseUrls].filter((variable) => !VARIABLE.test(variable))).toEqual([])
  })

  testIf(address)('where programs ask by default is its host, or this machine', () => {
    const asked = new URL(address!)
    expect(providerOf(asked)).toBe(asked.hostname === '127.0.0.1' ? undefined : name)
  })

  test('each of its headers is stored', () => {
    const stored = Object.entries(headers).map(([header, reading]) => {
      const value = reading === 'address' ? 'https://llm.example.com/v1' : 'application/x-own'
      const kept = keepAskingHeaders(
        new Headers({ [header]: value }),
        String,
        'https://a.example',
      ).headers
      return Object.keys(kept ?? {})
    })
    expect(stored).toEqual(Object.keys(headers).map((header) => [header]))
  })

  test('each path is that of a dialect, and each path of a job one of them', () => {
    const known = dialects.map((dialect) => dialect.name)
    expect(Object.keys(paths).filter((dialect) => !known.includes(dialect))).toEqual([])
    expect(jobs.filter((path) => !Object.values(paths).includes(path))).toEqual([])
  })
})
