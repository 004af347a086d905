import { expect, test } from 'vitest'
import { isOneUser } from '../../src/features/written/users.ts'

test.for([
  ['<@U7>', 'U7'],
  ['@U7', 'U7'],
  ['<@U7|anna>', 'U7'],
  ['<@U7|anna>', 'anna'],
  ['<@U7|Anna Smith>', 'Anna_Smith'],
  ['Anna Smith', 'Anna_Smith'],
  ['<@U7>', '<@U7|anna>'],
  ['<@U7>', undefined],
  ['<@U7>', '__U7_'],
  ['<@U7>', '_U7_'],
  ['<@U7>', '--U7-'],
  ['Zoë Kay', 'Zo__Kay'],
  ['Zoë Kay', 'Zoë_Kay'],
  ['zoe@example.com', 'zoe_example_com'],
] as const)('the user %s is the one whose name %s an application sends', ([said, heard]) => {
  expect(isOneUser(said, heard)).toBe(true)
})

test.for([
  ['<@U7>', 'U8'],
  ['<@U7|anna>', 'ann'],
  ['<@U7|anna>', '<@U8|bob>'],
  ['anna-b', 'anna_b'],
  ['é', 'ô'],
  ['🙂', '🙈'],
  ['<@U7>', '__U8_'],
])('the user %s is not %s', ([said, heard]) => expect(isOneUser(said, heard)).toBe(false))
