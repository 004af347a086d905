import { expect, test } from 'vitest'
import { ask, SECRETS } from './ask.ts'

test('a key that nobody knows, in a prompt', async () => {
  expect(await ask(`Use ${SECRETS[2]} please`)).toContain('Use')
})

test(`a title with ${SECRETS[2]}`, async () => {
  await ask('Hello title')
})

test(`a title with the known ${SECRETS[0]}`, async () => {
  await ask('Hello title')
})
