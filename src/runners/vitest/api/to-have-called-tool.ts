import type { MatcherState } from 'vitest'
import { countOf } from '../../../text/count-of.ts'
import type { ToolCall } from '../../../prompt/completion.ts'
import { cassetteOf, onOneLine, listOf, type MatcherResult } from './matcher-result.ts'

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
  const closestDiff = (): string => {
    const best = named.toSorted((one, other) => countEqual(other) - countEqual(one))[0]!
    return `\n\nThe closest is that of ${best.place}:\n\n${utils.diff(args, best.arguments) ?? ''}`
  }
  const message = (): string => {
    if (found.length > 0) return `The model called ${asked}\n\n${list(found)}`
    const headline = `The model did not call ${asked}`
    if (calls.length === 0) {
      return `${headline}\n\nIt called no tool in ${countOf(exchanges.length, 'exchange')}.`
    }
    const diff = rest.length > 0 && named.length > 0 ? closestDiff() : ''
    return `${headline}\n\nIt called:\n${list(calls)}${diff}`
  }
  return { pass: found.length > 0, message }
}

function callText(name: string, args: [args?: unknown], utils: MatcherState['utils']): string {
  return args.length === 0 ? name : `${name}(${onOneLine(args[0], utils)})`
}
