import { expect, test } from 'vitest'
import { browserOf, openInBrowser } from '../../../src/tools/page/browser.ts'

test.each([
  ['linux', ['xdg-open']],
  ['darwin', ['open']],
  ['win32', ['cmd', '/c', 'start', '""']],
] as const)(
  'an address is opened as %s does it, unless BROWSER says otherwise',
  (platform, command) => {
    expect(browserOf({}, platform)).toEqual(command)
    expect(browserOf({ BROWSER: 'firefox' }, platform)).toEqual(['firefox'])
  },
)

test('a browser that is not there is no error', async () => {
  expect(await openInBrowser('file:///nothing', { BROWSER: '/no/such/browser' })).toBe(false)
})
