import { expect, test } from 'vitest'
import { renderServers } from '../../../../src/runners/vitest/reporters/summary-reporter.ts'
import { expectGolden } from '../../../golden.ts'

const other = { found: [], others: ['node servers/weather.ts'] }

test('a name that no server has is told with the servers that were seen', async () => {
  const text = renderServers(['wether', 'wether', 'git'], [other, { found: ['git'], others: [] }])
  expect(text!.match(/'\w+'/g)).toEqual(["'wether'"])
  expect(text).toContain('\n  node servers/weather.ts\n')
  await expectGolden(text!, 'no-such-server')
})

test('nothing is told where all were found, or none other was seen', () => {
  expect(renderServers(['git'], [{ found: ['git'], others: ['node x.ts'] }])).toBeUndefined()
  expect(renderServers(['git'], [])).toBeUndefined()
  expect(renderServers([], [other])).toBeUndefined()
})
