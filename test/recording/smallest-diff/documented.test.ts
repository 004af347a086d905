import { expect, test } from 'vitest'
import { dialects } from '../../../src/providers/dialects.ts'
import { RENEWED } from '../../../src/recording/smallest-diff/renewed-places.ts'
import { expectDocumented } from '../../docs-section.ts'

test('the page names every place that may be another in an answer that says the same', async () => {
  const sections = Object.entries(RENEWED).map(([dialect, places]) => {
    const lines = Object.entries(places)
      .filter(([kind, paths]) => kind !== 'whole' && paths.length > 0)
      .map(([kind, paths]) => `- ${kind}: ${paths.map((path) => `\`${path}\``).join(', ')}`)
    return [`### ${dialect}`, '', ...lines].join('\n')
  })
  await expectDocumented('re-recording.md', 'renewed places', sections.join('\n\n'))
})

test('the places are those of dialects that there are', () => {
  const names = dialects.map(({ name }) => name)
  expect(Object.keys(RENEWED).filter((name) => !names.includes(name))).toEqual([])
})
