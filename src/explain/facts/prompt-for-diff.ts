import { isJsonObject } from '../../json/json-value.ts'
import { rewrite } from '../../json/walk.ts'
import type { VolatileRule } from '../../config/volatile-rule.ts'
import { markCalls, type Incoming } from '../../engine/incoming.ts'
import { comparedPromptFor, dialectFor, readPrompt } from '../../engine/read-prompt.ts'
import type { Recorded } from '../../engine/recorded.ts'
import type { FoundBase64 } from '../../prompt/base64.ts'
import { TIMES } from '../../prompt/named-rules.ts'
import type { Prompt } from '../../prompt/prompt.ts'
import { compileRules } from '../../prompt/volatile-rules.ts'
import { placesOf } from '../../json/text-span.ts'
import { placeholdersIn } from '../../text/placeholders.ts'
import { replaceTexts } from '../../wire/replace-texts.ts'
import type { PictureComparer } from '../../engine/rare-cases.ts'

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
      TIMES.has(rule) ? `<${rule}>` : `<${rule.replace(/^<|>$/g, '')} ${index + 1}>`,
    ]),
  )
  const { find } = compileRules(rules)
  const body = replaceTexts(wire.body, (text) => {
    const whole = names.get(text)
    if (whole !== undefined) return [{ start: 0, end: text.length, text: whole }]
    const redacted = placeholdersIn(text).flatMap(({ whole }) =>
      placesOf(whole, text).map((place) => ({ ...place, text: whole })),
    )
    return [...redacted, ...find(text)].map((span) => ({
      ...span,
      text: names.get(span.text) ?? span.text,
    }))
  })
  return readPrompt(dialectFor(incoming), markCalls({ ...wire, body }))
}

/**
 * The prompt of this run for a diff with a recorded one. Recorded pictures replace pictures that look like them, so
 * that these are no change.
 */
export function withRecordedPictures(
  prompt: Prompt,
  known: Recorded,
  asked: Incoming,
  pictures: PictureComparer | undefined,
): Prompt {
  const recorded = new Map<string, FoundBase64>()
  const compared = pictures?.compare(known, asked) ?? []
  for (const pair of compared) recorded.set(pair.asked.hash, pair.recorded)
  // A picture has to look alike in each of its squares, and at each of its places.
  for (const pair of compared) if (!pictures!.isAlike(pair)) recorded.delete(pair.asked.hash)
  if (recorded.size === 0) return prompt
  const messages = rewrite(prompt.messages as never, (value) => {
    const isBlob = isJsonObject(value) && value.type === 'blob'
    const picture = isBlob ? recorded.get(String(value.hash)) : undefined
    if (!isBlob || !picture) return undefined
    const { hash, base64 } = picture
    return { ...value, hash, size: Buffer.byteLength(base64, 'base64') }
  })
  return { ...prompt, messages: messages as never }
}
