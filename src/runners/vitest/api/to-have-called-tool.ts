import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import type { ToolCall } from '../../../prompt/completion.ts'
import { cassetteOf, onOneLine, listOf, resultOf, type MatcherResult } from './matcher-result.ts'

/** A tool call, with the exchange in which the model made it. */
interface PlacedCall extends ToolCall {
  place: string
}

/** Asserts that the model called a tool, with these arguments if given. */
export function toHaveCalledTool(
  this: MatcherState,
  received: unknown,
  name: string,
  ...rest: [args?: unknown]
): MatcherResult {
  const { exchanges } = cassetteOf(received, 'toHaveCalledTool')
  const calls = exchanges.flatMap(({ completion }, index) =>
    completion.toolCalls.map((call): PlacedCall => ({ ...call, place: `exchange-${index + 1}` })),
  )
  const named = calls.filter((call) => call.name === name)
  const [args] = rest
  const found =
    rest.length === 0
      ? named
      : named.filter((call) => this.equals(call.arguments, args, this.customTesters))
  const { utils } = this
  const list = (shown: PlacedCall[]): string =>
    listOf(shown.map((call) => `${call.place}  ${callText(call.name, [call.arguments], utils)}`))
  const asked = utils.EXPECTED_COLOR(callText(name, rest, utils))

  /** How many fields of the arguments are as expected. */
  const countEqual = ({ arguments: actual }: PlacedCall): number => {
    if (typeof args !== 'object' || args === null) return 0
    const fields = (actual ?? {}) as Record<string, unknown>
    return Object.entries(args).filter(([field, value]) =>
      this.equals(fields[field], value, this.customTesters),
    ).length
  }
  const instead = (): string[] => {
    if (calls.length === 0)
      return [`It called no tool in ${countOf(exchanges.length, 'exchange')}.`]
    const called = `It called:\n${list(calls)}`
    const [best] = named.toSorted((one, other) => countEqual(other) - countEqual(one))
    if (rest.length === 0 || !best) return [called]
    const diff = utils.diff(args, best.arguments) ?? ''
    return [called, `The closest is that of ${best.place}:`, diff]
  }
  return resultOf(found.length > 0, () =>
    found.length > 0
      ? [`The model called ${asked}`, list(found)]
      : [`The model did not call ${asked}`, ...instead()],
  )
}

function callText(name: string, args: [args?: unknown], utils: MatcherState['utils']): string {
  return args.length === 0 ? name : `${name}(${onOneLine(args[0], utils)})`
}
