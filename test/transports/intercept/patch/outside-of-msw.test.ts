import { setupServer } from 'msw/node'
import { expect, test } from 'vitest'
import { openNetwork } from '../../../../src/transports/intercept/http/network.ts'
import { othersIntercept } from '../../../../src/transports/intercept/patch/others-intercept.ts'

const open = (): (() => void) => {
  const network = openNetwork(async () => undefined)
  return () => network.close()
}

test('a server of the user intercepts from its listening to its closing, with and without our network', () => {
  const server = setupServer()
  const seen = [othersIntercept()]
  const close = open()
  seen.push(othersIntercept())
  server.listen()
  seen.push(othersIntercept())
  close()
  seen.push(othersIntercept())
  server.close()
  seen.push(othersIntercept())
  expect(seen).toEqual([false, false, true, true, false])
})

test('our own network, opened and closed again and again, is nobody else', () => {
  open()()
  const close = open()
  const seen = othersIntercept()
  close()
  expect(seen).toBe(false)
})
