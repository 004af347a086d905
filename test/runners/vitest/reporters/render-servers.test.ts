import { expect, test } from 'vitest'
import { renderServers } from '../../../../src/runners/vitest/reporters/summary-reporter.ts'

const other = { found: [], others: ['node servers/weather.ts'] }

test('a name that no server has is told with the servers that were seen', () => {
  const text = renderServers(['wether', 'wether', 'git'], [other, { found: ['git'], others: [] }])
  expect(text).toContain("names 'wether', and no server of this run is called so")
  expect(text).toContain('\n  node servers/weather.ts\n')
})

test('nothing is told where all were found, or none other was seen', () => {
  expect(renderServers(['git'], [{ found: ['git'], others: ['node x.ts'] }])).toBeUndefined()
  expect(renderServers(['git'], [])).toBeUndefined()
  expect(renderServers([], [other])).toBeUndefined()
})
