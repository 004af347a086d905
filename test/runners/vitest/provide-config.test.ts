import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { parseOptions } from '../../../src/config/parse-options.ts'
import { resolveConfig } from '../../../src/config/resolved-config.ts'
import { packValue } from '../../../src/json/pack.ts'
import { packConfig, packOptions } from '../../../src/runners/vitest/provide-config.ts'
import { readProvided } from '../../../src/runners/vitest/setup/provided-config.ts'
import type { ProvidedConfig } from '../../../src/runners/vitest/setup/vitest-hooks.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

const environment = { ci: false, recordInCi: false }

test('the configuration of a project arrives as it was resolved', () => {
  const options = parseOptions({
    volatile: ['uuid', /req-\d+/gi, runInNewContext('/lot-\\d+/u') as RegExp],
    redact: [/x@corp\.test/, runInNewContext('/y@corp\\.test/') as RegExp],
    faults: [{ status: 503, times: Infinity }],
  })
  const given = { config: resolveConfig(options, environment), color: false, folder: 'a b' }
  const arrived = readProvided(packConfig(given))
  expect(arrived).toEqual(JSON.parse(JSON.stringify(given), restore(given)))
  expect(arrived.config.volatile[2]).toBeInstanceOf(RegExp)
  expect((arrived.config.redact as RegExp[])[1]).toBeInstanceOf(RegExp)
})

/** Puts the lists back that JSON does not keep. */
function restore({ config }: ProvidedConfig): (key: string, value: unknown) => unknown {
  const { volatile, redact, faults } = config
  const lists: Record<string, unknown> = {
    volatile: volatile.map((rule) =>
      typeof rule === 'string' ? rule : new RegExp(rule as RegExp),
    ),
    redact: (redact as RegExp[]).map((rule) => new RegExp(rule)),
    faults,
  }
  return (key, value) => lists[key] ?? value
}

class Script {
  name = 'script'
  canHandle(): boolean {
    return true
  }
  handleStep(): void {}
}

test.for([
  [{ volatile: ['uuid', () => []] }, 'volatile.1: '],
  [{ redact: [() => []] }, 'redact.0: '],
  [{ whyInvalid: () => undefined }, 'whyInvalid: '],
  [{ params: { strategy: 'llm', propose: () => '' } }, 'params.propose: '],
  [{ speakers: [new Script()] }, 'speakers.0: '],
] as const)('%o is refused in the config, by name', ([options, problem]) => {
  expect(() => packOptions(parseOptions(options))).toThrow(problem)
  const [option] = Object.keys(options)
  expect(() => packOptions(options)).toThrow(coded('invalid-option'))
  expect(() => packOptions(options)).toThrow(`configureCassettes({ ${option} })`)
})

test('the refusal says what cannot travel, and where to write it', async () => {
  const refusals = [
    await failureOf(() => packOptions({ redact: [() => []] })),
    await failureOf(() => packOptions({ speakers: [new Script()] })),
  ]
  await expectGolden(refusals.join('\n\n'), 'cannot-travel')
})

test.for([
  ['volatile', {}],
  ['volatile', null],
  ['redact', 3],
] as const)('a rule of %s that arrives as %j is refused by name', ([option, rule]) => {
  const config = { ...resolveConfig({}, environment), [option]: ['a', rule] }
  const text = packValue({ config, color: false }, () => new Error('refused'))
  expect(() => readProvided(text)).toThrow(coded('invalid-option'))
  expect(() => readProvided(text)).toThrow(`${option}.1 `)
  expect(() => readProvided(text)).toThrow(` ${JSON.stringify(rule)}`)
})

test('the refusal of a rule says how it arrived', async () => {
  const config = { ...resolveConfig({}, environment), redact: ['a', 3] }
  const text = packValue({ config, color: false }, () => new Error('refused'))
  await expectGolden(await failureOf(() => readProvided(text)), 'no-rule')
})
