import { expect, test } from 'vitest'
import {
  acceptProposal,
  promptForParams,
  readProposal,
} from '../../src/recording/propose-params.ts'
import { question, recorded } from '../engine/example-session.ts'

const cassette = recorded([question('Order A-4711 of Ada?'), 'Ada, A-4711 was sent.'])

test('the model is shown what was said', () => {
  expect(promptForParams(cassette)).toContain('> Order A-4711 of Ada?\nAda, A-4711 was sent.')
})

test.for([
  ['Here: {"orderId": "A-4711", "name": "Ada"}.', { orderId: 'A-4711', name: 'Ada' }],
  ['{"orderId": "A-4711", "same": "A-4711", "no-name": "Ada"}', { orderId: 'A-4711' }],
  ['{"part": "471", "word": "was se", "nothing": "Zoe", "list": ["Ada"]}', undefined],
  ['{"orderId": ', undefined],
  ['I cannot help with that.', undefined],
  ['{}', undefined],
] as const)('of %s only what can be a parameter is taken', ([answer, proposed]) => {
  expect(readProposal(answer, cassette)).toEqual(proposed)
})

test('what is accepted stands nowhere any more, in the half for people neither', () => {
  const proposedParams = { orderId: 'A-4711' }
  const { exchanges, ...rest } = acceptProposal({ ...cassette, proposedParams })
  expect(rest.params).toEqual(proposedParams)
  expect(rest.proposedParams).toBeUndefined()
  expect(JSON.stringify(exchanges)).not.toContain('4711')
  expect(exchanges[0]!.prompt.text).toBe('Order {{orderId}} of Ada?')
  expect(exchanges[0]!.prompt.hash).not.toBe(cassette.exchanges[0]!.prompt.hash)
})
