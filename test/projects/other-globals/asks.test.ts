import { expect, test } from 'vitest'
import { keep } from '../keep.ts'
import { clients, names } from './clients.ts'

const { WORLD } = process.env

test.each(names())(`${WORLD} by %s`, async (name) => {
  const got = []
  for (const kind of ['Hello', 'status 400'])
    // Clients throw what their status makes of an answer.
    got.push(
      await clients[name]!(`${kind} ${process.env.MORE ?? ''}`).catch((error) => {
        if (kind !== 'status 400') throw error
        return 400
      }),
    )
  expect(got[0]).toContain('Odd: Hello')
  keep(`${WORLD}-${name.replaceAll(/\W/g, '-')}`, got)
})
