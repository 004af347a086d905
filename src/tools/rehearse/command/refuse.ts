import { dialectOf } from '../../../providers/dialects.ts'
import { countOf } from '../../../text/count-of.ts'
import { keyFor } from '../provider-key.ts'
import type { Asking } from '../asking.ts'
import { highestCostOf } from '../rehearsal.ts'
import type { Terminal } from '../../terminal/command.ts'
import type { RehearseWords } from './words.ts'
import { invalidCommand } from '../../terminal/options.ts'

type Calls = ReadonlyArray<{ asking: Asking }>

/**
 * Refuses calls without a key before any call is sent: an alarm that skipped them would stay silent.
 *
 * @throws CassetteError `invalid-command` that names the variables.
 */
export function refuseKeyless(left: Calls, { keys }: RehearseWords, env: Terminal['env']): void {
  const missing = left.flatMap(({ asking: { request } }) => {
    const found = keyFor(request.url, dialectOf(request).name, env, keys)
    return 'why' in found ? [found.why] : []
  })
  if (missing.length === 0) return
  const each = [...Map.groupBy(missing, (why) => why)]
  const lines = each.map(([why, all]) => `  ${why} (${countOf(all.length, 'call')})`)
  throw invalidCommand(
    `Nothing was asked, since a key is missing:\n${lines.join('\n')}\n` +
      'Set it in the environment or in .env, or name tests that do without: vitest-cassette rehearse <part of a test or path>',
  )
}

/** @throws CassetteError `invalid-command` if `--max-cost` cannot be kept, since a price is unknown. */
export function refuseUnpriced(left: Calls, { prices, maxCost }: RehearseWords): void {
  const unknown = left.find(({ asking }) => highestCostOf(asking, prices) === undefined)
  if (!unknown) return
  const { request } = unknown.asking
  const model = dialectOf(request).readPrompt(request).model ?? 'model'
  throw invalidCommand(
    `The price of ${model} is unknown, so --max-cost ${maxCost} cannot be kept.\n` +
      `Say its price: --prices prices.json, with { "${model}": { "input": 1, "output": 2 } } in it, in US dollars for a million tokens.`,
  )
}
