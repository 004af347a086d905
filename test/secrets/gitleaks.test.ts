import { expect, test } from 'vitest'
import gitleaks from '../../src/secrets/rules/gitleaks.json' with { type: 'json' }
import { scanText } from '../../src/secrets/find/scan-text.ts'
import { rulesOf } from '../../tooling/credential-rules.ts'

const RULES = String.raw`
[[rules]]
id = "acme-api-token"
regex = '''\b(acme_(?:live|test)_(?i)[a-f0-9]{32})(?:[\x60'"\s;]|\\[nr]|$)'''
[[rules]]
id = "shop-access-token"
regex = '''(?i)[\w.-]{0,50}?(?:shop)(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}([a-z0-9]{40})(?:[\x60'"\s;]|\\[nr]|$)'''
[[rules]]
id = "mail-pat"
regex = '''\bmail-[0-9a-z]+\b'''
[[rules]]
id = "generic-api-key"
regex = '''anything'''
`

test('a rule of gitleaks becomes a mark with what follows it, or the name of an issuer with its value', () => {
  expect(rulesOf(RULES)).toEqual({
    marked: [
      ['acme', 'acme_live_', '[a-fA-F0-9]{32}'],
      ['acme', 'acme_test_', '[a-fA-F0-9]{32}'],
      ['mail', 'mail-', '[0-9a-z]{1,400}'],
    ],
    named: [['shop', '[a-zA-Z0-9]{40}']],
  })
})

test('each rule can be read, and none is without an end', () => {
  const patterns = [
    ...gitleaks.marked.map((rule) => rule[2]!),
    ...gitleaks.named.map((rule) => rule[1]!),
  ]
  for (const pattern of patterns) {
    expect(() => new RegExp(`^(?:${pattern})$`)).not.toThrow()
    expect(pattern).not.toMatch(/[\])][+*]|\{\d+,\}/)
  }
  expect(gitleaks.marked.length).toBeGreaterThan(120)
  expect(gitleaks.named.length).toBeGreaterThan(70)
  expect(gitleaks.license).toContain('MIT License')
})

test('marks without an end take no time', () => {
  const began = performance.now()
  for (const mark of new Set(gitleaks.marked.map((rule) => rule[1]!)))
    for (const text of [mark.repeat(200), `${mark}${'a'.repeat(5_000)}`]) scanText(text)
  expect(performance.now() - began).toBeLessThan(30_000)
})
