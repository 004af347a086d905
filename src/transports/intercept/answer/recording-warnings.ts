import { providerOf } from '../../../providers/providers.ts'
import { hostOf } from '../../../engine/gateways.ts'
import { isServedHere } from '../context/own-servers.ts'
import type { Scope } from '../../scope.ts'
import type { WholeRequest } from '../call/whole-request.ts'

/** Warns of requests that passed before the first LLM call showed that their host is a gateway. None is recorded. */
export function warnOfPassed(scope: Scope | undefined, url: string): void {
  if (typeof scope !== 'object' || providerOf(new URL(url)) !== undefined) return
  const host = hostOf(url)
  const passed = scope.passed.get(host)
  if (passed === undefined) return
  scope.passed.delete(host)
  console.warn(
    `[vitest-cassette] ${passed} was sent and not recorded: only the LLM call that came after it told that ${host} is a gateway. ` +
      `In replay it would be sent again. Add the gateway to the options, cassettes({ hosts: ['${host}'] }), and record the test again.`,
  )
}

/** The hosts of which {@link warnOfOwnServer} has warned. */
const warned = new Set<string>()

/** Warns of a recorded call that a server of this process has answered: it may be what the test is about. */
export function warnOfOwnServer({ method, url }: WholeRequest): void {
  const address = new URL(url)
  const { host, origin, pathname } = address
  if (warned.has(host) || !isServedHere(address)) return
  warned.add(host)
  console.warn(
    `[vitest-cassette] ${method} ${origin}${pathname} was answered by a server in the process of the tests, and is recorded as an LLM call: in replay the cassette answers it, not the server. ` +
      `If this server is what you test, give it a fixed port and let its requests pass: cassettes({ allowHosts: ['${host}'] }).`,
  )
}
