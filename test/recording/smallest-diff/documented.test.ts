import { test } from 'vitest'
import { dialects } from '../../../src/providers/dialects.ts'
import { expectDocumented } from '../../docs-section.ts'

test('the page names every place that may be another in an answer that says the same', async () => {
  const sections = dialects.flatMap(({ name, renewed: places }) => {
    if (!places) return []
    const lines = Object.entries(places)
      .filter(([kind, paths]) => kind !== 'whole' && paths.length > 0)
      .map(([kind, paths]) => `- ${kind}: ${paths.map((path) => `\`${path}\``).join(', ')}`)
    return [`**${name}**`, '', ...lines].join('\n')
  })
  await expectDocumented('re-recording.md', 'renewed places', sections.join('\n\n'))
})
