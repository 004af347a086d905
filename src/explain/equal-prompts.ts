import type { Recorded } from '../engine/recorded.ts'
import { textOf } from '../wire/body.ts'

/**
 * Names exchanges with the same prompt whose different answers are parts of a prompt that changed: asked at the same
 * time, they may have been answered in another order. Empty where there are none.
 */
export function adviseOnEqualPrompts(
  recorded: readonly Recorded[],
  changed: Recorded | undefined,
): string {
  if (!changed?.incoming) return ''
  const body = textOf(changed.incoming.wire.body)
  const isPart = ({ exchange: { response } }: Recorded): boolean =>
    response.text !== '' && body.includes(JSON.stringify(response.text).slice(1, -1))
  const parts = recorded.filter((entry) => entry.incoming && isPart(entry))
  const equal = [...Map.groupBy(parts, ({ incoming }) => incoming!.hash).values()].find(
    (group) => new Set(group.map(({ exchange }) => exchange.response.text)).size > 1,
  )
  if (!equal) return ''
  const ids = equal.map(({ exchange }) => exchange.id).join(', ')
  return (
    `The recorded prompt holds the answers of ${ids}, which have one and the same prompt. They are answered in the order in which they are asked.\n` +
    'If your application asks them at the same time, that order may vary: let their prompts differ, by a number for instance.'
  )
}
