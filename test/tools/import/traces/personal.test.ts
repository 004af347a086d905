import { expect, test } from 'vitest'
import { findPersonal } from '../../../../src/tools/import/traces/personal.ts'

test.for([
  [
    'Write to ada.lovelace+x@analytical.co.uk today',
    'an e-mail address',
    'ada.lovelace+x@analytical.co.uk',
  ],
  ['Call +49 (30) 1234-5678.', 'a phone number', '+49 (30) 1234-5678'],
  ['DE89 3704 0044 0532 0130 00', 'a bank account (IBAN)', 'DE89 3704 0044 0532 0130 00'],
  ['4111 1111 1111 1111', 'a card number', '4111 1111 1111 1111'],
  ['from 93.184.216.34', 'an IP address', '93.184.216.34'],
  ['SSN 078-05-1120', 'a social security number', '078-05-1120'],
  ['{"order":"7","first_name":"Ada"}', 'the field "first_name"', 'Ada'],
])('%j has %s', ([text, kind, found]) => {
  expect(findPersonal(text!)).toEqual([{ kind, text: found }])
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
