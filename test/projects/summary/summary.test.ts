import { test } from 'vitest'
import { ask } from '../ask.ts'

const changed = process.env.CHANGED === '1'

test('asks as ever', async () => {
  await ask('tokens')
  await ask('tokens, please')
})

test('asks something else', async () => {
  await ask(changed ? 'Who?' : 'What?').catch(() => 'no answer')
})

test('asks less', async () => {
  await ask('One')
  if (!changed) await ask('Two')
})

test('asks nothing', () => {})
