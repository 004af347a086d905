import { startedBy } from '../../../../src/config/environment.ts'
import { expect, test } from 'vitest'
import { explainMissingKeys } from '../../../../src/runners/vitest/reporters/summary-reporter.ts'
import { expectGolden } from '../../../golden.ts'

const OPENAI =
  'Missing credentials. Please pass an `apiKey`, or set `OPENAI_API_KEY` in the environment.'

test.each([
  [OPENAI, /set OPENAI_API_KEY\./],
  [
    'The ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN is unset',
    /set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN\./,
  ],
  ['Set ACME_LLM_KEY before you start', /set ACME_LLM_KEY\./],
  [
    '"Could not resolve authentication method. Expected either apiKey or authToken to be set."',
    /set its key\./,
  ],
])('%s', (message, said) => {
  expect(explainMissingKeys(['other', message], {})).toMatch(said)
})

test('the command record is not advised to itself', async () => {
  const said = explainMissingKeys([OPENAI], startedBy('record', '/tmp/run'))!
  expect(said).toContain('OPENAI_API_KEY.\n')
  expect(said).not.toContain('npx vitest-cassette record')
  expect(explainMissingKeys([OPENAI], {})).toContain('npx vitest-cassette record')
  await expectGolden(said, 'to-the-command-record')
})

test.each([
  ['a key that is set', [OPENAI], { OPENAI_API_KEY: 'sk-real' }],
  ['an error of another kind', ['expected 1 to be 2', 'HTTP 401'], {}],
  ['no error', [], {}],
])('nothing is said of %s', (_, errors, env) => {
  expect(explainMissingKeys(errors, env)).toBeUndefined()
})
