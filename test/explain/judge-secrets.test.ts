import { expect, test } from 'vitest'
import { encodeCassette } from '../../src/cassette/encode.ts'
import { findAddresses } from '../../src/secrets/find-addresses.ts'
import { exampleCassette } from '../cassette/example-cassette.ts'

function find(text: string): string[] {
  const cassette = exampleCassette({ text })
  return findAddresses(encodeCassette(cassette, '').stored, cassette.exchanges)
}

test('addresses that may belong to someone are named once, masked', () => {
  expect(find('Ann <ann.b+x@mail.acme.io>, ann.b+x@mail.acme.io; <bob@gmail.com>.')).toEqual([
    'a…@mail.acme.io',
    'b…@gmail.com',
  ])
})

test.for([
  'ann@example.com, bob@sub.example.org, eve@acme.test, x@localhost',
  'git clone git@github.com:acme/app.git',
  'import { a } from "@acme/b@1.2.3"; icon@2x.png; f(a@b); noreply@acme.io',
])('what belongs to nobody is not: %s', (text) => {
  expect(find(text)).toEqual([])
})
