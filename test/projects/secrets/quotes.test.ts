import { test } from 'vitest'
import { ask } from './ask.ts'

/** As a file of the test sets it: the process of Vitest does not know it. */
const later = 'zK4qLm8vT1yRw0'
process.env.SHOP_PASSWORD = `${later}Xc6`

test.for([
  ['a key of an issuer', ['gsk', 'aB3'.repeat(17)].join('_') + 'e'],
  ['a password that the test sets', `${later}Xc6`],
])('an error quotes %s', async ([what, secret]) => {
  await ask(`Hello, ${what}`)
  if (!process.env.RECORD) throw new Error(`401: Incorrect API key provided: ${secret}. Why?`)
})
