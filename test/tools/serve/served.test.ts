import { expect, test } from 'vitest'
import { explainStart } from '../../../src/tools/serve/run.ts'
import { cassetteOptionsOf, spellRecording } from '../../../src/tools/serve/served.ts'
import { parseTestOptions } from '../../../src/config/parse-options.ts'
import { coded, expectGolden, failureOf } from '../../golden.ts'

const given = {
  cassette: 'a.json',
  volatile: ['uuid', String.raw`/run-\d+/g`],
  redact: ['/acct_/'],
  hosts: ['llm.example.com'],
  repeats: 'cycle',
}

test('commands take the options of a cassette, patterns between slashes', () => {
  const options = cassetteOptionsOf('run', given)
  expect(options).toEqual({
    volatile: ['uuid', /run-\d+/g],
    redact: [/acct_/],
    hosts: ['llm.example.com'],
    repeats: 'cycle',
  })
  expect(parseTestOptions({ hosts: options.hosts, repeats: options.repeats })).toBeDefined()
  expect(() => cassetteOptionsOf('run', { redact: ['/(/'] })).toThrow(coded('invalid-command'))
})

test('a value that no option has is named with what it may be', async () => {
  const often = await failureOf(() => cassetteOptionsOf('run', { repeats: 'often' }))
  const open = await failureOf(() => cassetteOptionsOf('run', { redact: ['/(/'] }))
  // What follows the pattern is said by Node.
  await expectGolden(`${often}\n\n${open.replace(/(pattern: ).*/, '$1…')}`, 'refused')
})

test.for([{ repeats: 'often' }, { mode: 'record' }, { volatile: ['no-such-rule'] }])(
  'a value of %j that no option has is no command line',
  (values) => {
    const [name] = Object.keys(values)
    expect(() => cassetteOptionsOf('run', values)).toThrow(
      expect.objectContaining({
        code: 'invalid-command',
        message: expect.stringMatching(new RegExp(`^run [^\\n]*\\n {2}${name}`)),
      }),
    )
  },
)

test('the command that records has each of them', () => {
  expect(spellRecording('run', { ...given, mode: 'new' }, ['node', 'a.mjs'])).toBe(
    String.raw`RECORD=1 npx vitest-cassette run --cassette a.json --volatile uuid --volatile '/run-\d+/g' --redact /acct_/ --hosts llm.example.com --repeats cycle -- node a.mjs`,
  )
})

test('a command that Windows does not start is told how it starts', () => {
  const error = new Error('spawn npx ENOENT')
  expect(explainStart(error, 'npx', 'linux')).toBe('spawn npx ENOENT')
  expect(explainStart(error, 'npx', 'win32')).toContain('-- cmd /c npx …')
})
