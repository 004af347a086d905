import type { Completion } from '../prompt/completion.ts'
import { textOf } from '../wire/body.ts'
import type { WireResponse } from '../wire/message.ts'
import { finishOf } from './finish.ts'

/** A field of its own, as OpenAI has it, plain and streamed. */
const FIELD = /"refusal"\s*:\s*"[^"]|"type"\s*:\s*"(?:response\.)?refusal/

/** How models begin that do not want to. What an answer says further on can be about anything. */
const OPENING =
  /^\W*(?:(?:i['’]?m|i am) (?:very |so |truly |really )?sorry,? (?:but )?|unfortunately,? |i apologi[sz]e,? but |sorry,? (?:but )?)?(?:i (?:can(?:['’]?t|not)|am (?:not able|unable)|won['’]?t be able) ?(?:to )?|i['’]?m (?:not able|unable) to )(?:help(?! but\b)|assist|comply|fulfil|answer|provide|do|discuss|continue|support|share|engage|generate|create|write)\b/i

/** True for an answer in which the model refuses: by its provider's words, or by how its text begins, in English. */
export function isRefusal(completion: Completion, response?: WireResponse): boolean {
  if (finishOf(completion).includes('refusal')) return true
  if (response && FIELD.test(textOf(response.body))) return true
  return completion.toolCalls.length === 0 && OPENING.test(completion.text)
}
