import { expect, test } from 'vitest'
import { findPersonal } from '../../../src/tools/sources/personal.ts'
import { expectGolden } from '../../golden.ts'

const PERSONAL: Array<[text: string, found: string]> = [
  ['Write to ada.lovelace+x@analytical.co.uk today', 'ada.lovelace+x@analytical.co.uk'],
  ['Call +49 (30) 1234-5678.', '+49 (30) 1234-5678'],
  ['DE89 3704 0044 0532 0130 00', 'DE89 3704 0044 0532 0130 00'],
  ['4111 1111 1111 1111', '4111 1111 1111 1111'],
  ['from 93.184.216.34', '93.184.216.34'],
  ['in /home/ada/notes', 'ada'],
  ['charged acct_1032D82eZvKYlo2C', 'acct_1032D82eZvKYlo2C'],
  ['SSN 078-05-1120', '078-05-1120'],
  ['{"order":"7","first_name":"Ada"}', 'Ada'],
]

test.for(PERSONAL)('%j has personal data', ([text, found]) => {
  expect(findPersonal(text)).toEqual([{ kind: expect.any(String) as string, text: found }])
})

test('each kind of personal data has a name', async () => {
  const found = PERSONAL.flatMap(([text]) => findPersonal(text))
  expect(new Set(found.map(({ kind }) => kind)).size).toBe(PERSONAL.length)
  await expectGolden(found.map(({ kind, text }) => `${kind}: ${text}`).join('\n'), 'kinds')
})

test('fields are known by their names, wherever they stand, and each text is named once', () => {
  const value = {
    customer: { dateOfBirth: '1815-12-10', id: 'c-7' },
    items: [{ 'postal-code': '10115' }],
  }
  expect(findPersonal([value, value])).toEqual([
    { kind: 'the field "dateOfBirth"', text: '1815-12-10' },
    { kind: 'the field "postal-code"', text: '10115' },
  ])
})

test.for([
  'GB82 WEST 1234 5698 7654 33',
  '4111 1111 1111 1112',
  '1700000000123456789',
  'version 1.2.3.4444',
  '127.0.0.1 and 192.168.0.1',
  'someone@example.com',
  'call_1234567890',
  '2026-01-02T03:04:05',
  '0000 0000 0000 0000',
])('%j is nobody’s', (text) => {
  expect(findPersonal(text)).toEqual([])
})
