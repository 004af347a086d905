import { describe, expect, test } from 'vitest'
import { ask, askClaude, changed } from './ask.ts'

const word = changed ? 'tomorrow' : 'today'
const recording = process.env.RECORD === '1'

test('asks openly', async () => {
  expect(await ask(`Where is my order ${word}?`)).toContain('order')
})

test('swallows the error', async () => {
  await ask(`Do you swallow ${word}?`).catch(() => 'no answer')
  await askClaude(`Does Claude swallow ${word}?`).catch(() => 'no answer')
})

test('expects the rejection', async () => {
  const answer = ask(`Do you reject ${word}?`)
  if (recording) await answer
  else await expect(answer).rejects.toThrow()
})

test('stumbles over the missing answer', async () => {
  const answer = await ask(`Do you stumble ${word}?`).catch(() => undefined)
  expect(answer!.length).toBeGreaterThan(3)
})

describe('two at the same time', () => {
  test.concurrent.each(['left', 'right'])('%s', async (side) => {
    await ask(`Are you ${side} ${word}?`).catch(() => 'no answer')
  })
})

test('changes one word of a long prompt', async () => {
  const lines = Array.from(
    { length: 400 },
    (_, index) => `Rule ${index + 1}: answer rule ${index}.`,
  )
  lines[200] += ` Ask for the ${changed ? 'invoice' : 'receipt'} first.`
  await ask('What now?', lines.join('\n')).catch(() => 'no answer')
})

test('speaks to the terminal', async () => {
  const commands = [
    `\u001b[31mred\u001b[0m ${word}`,
    `::error file=x::${word}`,
    `##[group]${word}`,
    `##vso[task.complete]${word}`,
  ].join('\n')
  await ask(commands).catch(() => 'no answer')
})

test.skipIf(recording)('has no cassette', async () => {
  await ask('Who are you?')
})
