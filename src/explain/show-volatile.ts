import type { VolatileRule } from '../config/volatile-rule.ts'
import type { Prompt } from '../prompt/prompt.ts'
import { TIMES } from '../prompt/named-rules.ts'
import { compileRules } from '../prompt/volatile-rules.ts'
import { replaceTexts } from '../wire/replace-texts.ts'
import { markCalls, type Incoming } from '../engine/incoming.ts'
import { comparedPromptFor, dialectFor, readPrompt } from '../engine/reading/read-prompt.ts'

/**
 * The prompt for a diff, with names in place of volatile values and marks in place of the ids of calls: values that
 * may vary are no change.
 */
export function promptForDiff(incoming: Incoming, rules: readonly VolatileRule[]): Prompt {
  const { wire, volatile } = incoming
  if (volatile.length === 0) return comparedPromptFor(incoming)
  const names = new Map(
    volatile.map(({ value, rule }, index) => [
      value,
      TIMES.has(rule) ? `<${rule}>` : `<${rule} ${index + 1}>`,
    ]),
  )
  const { find } = compileRules(rules)
  const body = replaceTexts(wire.body, (text) => {
    const whole = names.get(text)
    if (whole !== undefined) return [{ start: 0, end: text.length, text: whole }]
    return find(text).map((span) => ({ ...span, text: names.get(span.text) ?? span.text }))
  })
  return readPrompt(dialectFor(incoming), markCalls({ ...wire, body }))
}
