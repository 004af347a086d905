import { test } from 'vitest'
import { dialects } from '../../../src/providers/dialects.ts'
import { expectDocumented } from '../../docs-section.ts'

test('the page names every place that may be another in an answer that says the same', async () => {
  const sections = dialects.flatMap(({ name, places = [] }) => {
    const byRole = Map.groupBy(places, ([, role]) => role)
    const lines = [...byRole]
      .filter(([role]) => role !== 'one-value')
      .map(([role, rows]) => `- ${role}: ${rows.map(([path]) => `\`${path}\``).join(', ')}`)
    return lines.length > 0 ? [[`**${name}**`, '', ...lines].join('\n')] : []
  })
  await expectDocumented('re-recording.md', 'renewed places', sections.join('\n\n'))
})
