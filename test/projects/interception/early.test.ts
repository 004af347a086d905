import { expect, test } from 'vitest'
import { answerTo } from './ask.ts'
import { askApp, askByAgent, openai } from './early.ts'

test('a client that was built before the set-up', async () => {
  const messages = [{ role: 'user' as const, content: 'Were you early?' }]
  const answer = await openai.chat.completions.create({ model: 'gpt-5', messages })
  expect(answer).toEqual(answerTo('Were you early?'))
})

test('an agent whose sockets were open before the set-up', async () => {
  expect(await askByAgent('Is it kept alive?')).toEqual(answerTo('Is it kept alive?'))
})

test('sockets that are still open', async () => {
  expect(await askApp('Is it open?')).toEqual([
    answerTo('Is it open?'),
    answerTo('Is it open? by agent'),
  ])
})
