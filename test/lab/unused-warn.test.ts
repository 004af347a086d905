import { expect, test } from 'vitest'
import { scenario, whole } from './lab.ts'

scenario('unused-warn', (made) => {
  test.for([
    ['asks less than before', 'Where to?'],
    ['asks no more', 'Anything else?'],
  ])('with the option unused: "warn" a test that asks less only warns: %s', ([title, question]) => {
    expect(made('changed').titles('failed')).toEqual([])
    expect(made('changed').test(title!).cassette.unused).toBe(1)
    const warned = whole('changed').output.matchAll(
      /^ {2}cassette {2}unused-warn\/.*\n\n {2}unused {4}exchange-1 · gpt-5 · "(.*)"$/gm,
    )
    expect(Array.from(warned, ([, asked]) => asked)).toContain(question)
  })
})
