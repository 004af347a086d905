import { expect, test } from 'vitest'
import { ask } from '../ask.ts'
import { given } from './given.ts'

const isRecording = process.env.RECORD !== undefined
// It differs between runs, which the rules forgive.
const number = String(process.pid)
const letters = [...number].map((digit) => 'KLMNOPQRST'[Number(digit)]).join('')

test('rules and faults do in a worker what they say', async () => {
  await ask(`The order req-${number} of lot LOT-${letters}`)
  await ask(`By ${isRecording ? 'Ann' : 'Ben'}@Corp.test, account`)
  await ask('Third')
  for (let tries = 0; tries < 3; tries++) {
    if (isRecording && tries > 0) break
    const asked = ask('Fourth')
    await (isRecording ? asked : expect(asked).rejects.toThrow('503'))
  }
})

test('every option arrives as it was given', () => {
  const key = Symbol.for('vitest-cassette.current-file')
  const { config } = (process as unknown as Record<symbol, { file: { config: object } }>)[key]!.file
  const { volatile, redact, maxAge: _, ...others } = given
  const expected = JSON.parse(JSON.stringify(others)) as object
  expect(JSON.parse(JSON.stringify(config))).toMatchObject(expected)
  const { faults } = config as typeof given
  expect(faults).toEqual(others.faults)
  const { volatile: rules, redact: ofSecrets } = config as Required<typeof given>
  expect(rules.map(String)).toEqual(volatile!.map(String))
  expect(ofSecrets.map(String)).toEqual(redact!.map(String))
  expect((config as typeof given).maxAge).toBe(9000)
})
