import { providerOf } from '../../dialects/kit/providers.ts'
import { hostOf } from '../../engine/gateways.ts'
import type { Scope } from '../context/scope.ts'

/** Warns of requests that passed at a gateway before its first LLM call gave it away. They are not recorded. */
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
