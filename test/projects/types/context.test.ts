import { expect, test } from 'vitest'

test('has the types of its cassette and of all matchers', async ({ cassette }) => {
  const count: number = cassette.use({ repeats: 'last' }).exchanges.length
  cassette.params({ id: '1234' })
  expect(cassette).toHaveAsked(/order/)
  expect(cassette).toHaveCalledTool('look_up', { id: 7 })
  expect(cassette).not.toHaveCalledTool('look_up')
  expect(cassette).toHaveTurns(2)
  expect(cassette).toHaveTakenAtMost({ calls: count })
  // @ts-expect-error -- no option of a test
  cassette.use({ nonsense: 1 })
  // @ts-expect-error -- no cassette
  expect('text').toHaveAsked('x')
  // @ts-expect-error -- no limit
  expect(cassette).toHaveTakenAtMost({ nonsense: 1 })
})
