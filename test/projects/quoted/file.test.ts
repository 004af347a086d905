import { afterAll, beforeAll, test } from 'vitest'
import { ask, isRecording, SECRETS } from './ask.ts'

beforeAll(() => ask('Hello file'))

test('asks nothing', () => {})

afterAll(() => {
  if (!isRecording) throw new Error(`401: Incorrect key ${SECRETS.join(', ')}. Why?`)
})
