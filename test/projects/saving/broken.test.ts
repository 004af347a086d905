import { test } from 'vitest'
import { ask } from '../ask.ts'

const kinds = [
  'truncated',
  'in conflict',
  'of version 3',
  'without a field',
  'with a field too many',
  'with a reference to nowhere',
  'linked',
]

test.each(kinds)('a cassette %s', async (kind) => {
  const long = 'A long text that a second exchange refers to. '.repeat(10)
  await ask(`${kind}? ${long}`)
  await ask(`${kind}? ${long}`)
})
