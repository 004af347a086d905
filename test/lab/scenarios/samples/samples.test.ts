import { describe, expect, test } from 'vitest'
import { edited } from '../changed.ts'
import { keep } from '../keep.ts'
import { ask } from '../retries/ask.ts'

/** How often a test of this file has run, by its name. */
const runs: Record<string, number> = {}

function countRun(name: string): number {
  return (runs[name] = (runs[name] ?? 0) + 1)
}

test('has two samples', { repeats: Number(edited('1', '2')) }, async () => {
  keep(`two-${countRun('two')}`, await ask('numbered sample'))
})

describe.concurrent('together', () => {
  for (const name of ['one', 'other'])
    test(name, { repeats: 2 }, async () => {
      const first = await ask(`numbered ${name} first`)
      keep(`${name}-${countRun(name)}`, [first, await ask(`numbered ${name}, and then?`)])
    })
})

test('asks once more in each sample', { repeats: 2 }, async () => {
  const run = countRun('grows')
  const answers: string[] = []
  for (let turn = 0; turn < run; turn++) answers.push(await ask(`numbered turn ${turn}`))
  keep(`grows-${run}`, answers)
})

let remembered: string | undefined

test('asks in its first sample alone', { repeats: 1 }, async () => {
  expect((remembered ??= await ask('numbered memory'))).toContain('memory')
})

test('is tried again in each sample', { repeats: 1, retry: 1 }, async () => {
  const run = countRun('retry')
  keep(`retry-${run}`, await ask('numbered retry of samples'))
  if (run % 2 === 1) throw new Error('not yet')
})
