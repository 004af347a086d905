import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream, type Upstream } from '../upstream/start-upstream.ts'
import { VitestProject, type Run } from './vitest-project.ts'

let upstream: Upstream
let project: VitestProject
let failing: Run
let off: Run

beforeAll(async () => {
  upstream = await startUpstream()
  project = new VitestProject('in-tests', { UPSTREAM_URL: upstream.url })
  const recording = await project.record(['matchers'])
  expect(recording.exitCode, recording.output).toBe(0)
  // Fails and records: what matchers see does not depend on where answers come from.
  failing = await project.record(['matchers', '-t', 'fails'], { FAIL: '1' })
  off = await project.run(['matchers', '-t', 'a stream'], { RECORD: 'off' })
  await upstream.stop()
})

afterAll(() => upstream.stop())

test('what a test asked and got is the same when it is replayed, offline', async () => {
  const replay = await project.run(['matchers'])
  expect(replay.exitCode, replay.output).toBe(0)
  expect(replay.output).toMatch(/ {6}Saved {2}5 calls, > \d+ tokens, > \$0\.00\d\d, /)
  expect(replay.output).toContain('The cost of 1 exchange is unknown.')
})

test('prices of the options go before the known ones, and name what is saved', async () => {
  const PRICES = JSON.stringify({ 'gpt-5': { input: 10_000, output: 0 } })
  const replay = await project.run(['matchers', '-t', 'reads'], { PRICES })
  expect(replay.exitCode, replay.output).toBe(1)
  expect(replay.output).toMatch(/✓ 4 calls, at most 4\n.*\n {2}× \$0\.\d{4}, at most \$0\.1000/)
  expect(replay.output).toMatch(/Saved {2}4 calls, \d+ tokens, \$0\.\d{4}, /)
})

test('nothing can be said about requests that pass unseen', () => {
  expect(off.exitCode).toBe(1)
  expect(off.output).toContain('requests pass unseen: nothing can be said about them')
})

test.for([
  [
    'another argument',
    /not call look_up_order\(\{"by": Any<String>, "order": 8\}\)\n\nIt called:\n {2}exchange-1 {2}look_up_order\(\{"order": 7\}\)\n\nThe closest is that of exchange-1:[^]*- {3}"order": 8,\n\+ {3}"order": 7,/,
  ],
  [
    'another tool',
    /did not call refund\n\nIt called:\n {2}exchange-1 {2}look_up_order\(\{"order": 7\}\)/,
  ],
  [
    'a tool that should not be called',
    /The model called look_up_order\n\n {2}exchange-1 {2}look_up/,
  ],
  ['no tool', /did not call refund\(\{\}\)\n\nIt called no tool in 1 exchange\./],
  [
    'another text',
    /The closest text is:\n {2}exchange-1 {2}system: "You help with orders\. Be kind\."/,
  ],
  [
    'another pattern',
    /No prompt held \/refund\/\n\n2 prompts held:\n {2}exchange-1 {2}system: "You help[^]*tool: "look_up_order"\n.*assistant: "look_up_order\(\{"order":7\}\)"\n.*tool: "Order 7 was shipped\."\n ❯/,
  ],
  [
    'a text that should not be asked',
    /A prompt held \/password\/\n\n.*user: "My password is 1234"/,
  ],
  [
    'too much',
    /× 2 calls, at most 1\n {2}× \d+ tokens, at most 20\n {2}✓ \$0\.\d+, at most \$0\.0100\n\n {2}exchange-1 {2}gpt-5 {2}\d+ tokens {2}\$0\.\d+\n/,
  ],
  [
    'unknown price',
    /\? an unknown cost, at most \$0\.0100[^]*No price of: nobody-knows\.\nThe option prices/,
  ],
  ['unknown price, not', /✓ 1 call, at most 1\n {2}\? an unknown cost/],
  ['unknown tokens', /\? unknown tokens, at most 1,000[^]*1 answer named no tokens\./],
  [
    'other turns',
    /conversations had 3 turns, not 2\n\n {2}thread-1: 2 turns\n {4}\[Turn 1\] "Where[^]*thread-2: 1 turn\n/,
  ],
  ['softly', /The conversation had 1 turn, not 2[^]*FAIL.*softly\n.*No prompt held "Good bye"/],
  ['something else', /toHaveTurns\(\) looks at the cassette of a test: expect\(cassette\)/],
  ['nothing', /No prompt held "Hello"\n\nThe test asked nothing\./],
] as const)('a failing matcher shows what was there instead: %s', ([title, text]) => {
  const start = failing.output.indexOf(` FAIL  matchers.test.ts > fails > ${title}\n`)
  expect(start, failing.output).toBeGreaterThan(0)
  const report = failing.output.slice(start, start + 1_500)
  expect(report).toMatch(text)
})
