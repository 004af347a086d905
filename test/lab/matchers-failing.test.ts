import { expect, test } from 'vitest'
import { scenario } from './lab.ts'

scenario('matchers-failing', (made) => {
  // What matchers see does not depend on where answers come from, so they fail while they are recorded.
  test.for([
    'another argument',
    'another tool',
    'a tool that should not be called',
    'no tool',
    'another text',
    'another pattern',
    'a text that should not be asked',
    'too much',
    'an unknown price, at most',
    'an unknown price, not at most',
    'unknown tokens',
    'other turns',
    'something else',
    'nothing',
  ])('a failing matcher shows what was there instead: %s', async (title) => {
    const golden = `golden/matchers-failing/${title.replaceAll(/\W+/g, '-')}.txt`
    await expect(made('record').text(title)).toMatchFileSnapshot(golden)
  })

  test('soft assertions show each failing matcher', async () => {
    const { errors } = made('record').test('softly')
    const golden = 'golden/matchers-failing/softly.txt'
    await expect(errors.map(({ text }) => text).join('\n\n')).toMatchFileSnapshot(golden)
    expect(errors).toHaveLength(2)
  })
})
