import type { Completion } from '../../prompt/completion.ts'
import { textOf } from '../../wire/body.ts'
import type { WireResponse } from '../../wire/message.ts'
import { finishOf } from './finish.ts'

/** The field for a refusal of OpenAI, plain and streamed. */
const FIELD = /"refusal"\s*:\s*"[^"]|"type"\s*:\s*"(?:response\.)?refusal/

/** The opening words of a refusal. Later words of an answer can be about anything. */
const OPENING =
  /^\W*(?:(?:i['’]?m|i am) (?:very |so |truly |really )?sorry,? (?:but )?|unfortunately,? |i apologi[sz]e,? but |sorry,? (?:but )?)?(?:i (?:can(?:['’]?t|not)|am (?:not able|unable)|won['’]?t be able) ?(?:to )?|i['’]?m (?:not able|unable) to )(?:help(?! but\b)|assist|comply|fulfil|answer|provide|do|discuss|continue|support|share|engage|generate|create|write)\b/i

/** Whether the model refuses: by the finish reason, by a field, or by the opening words of its text, in English. */
export function isRefusal(completion: Completion, response?: WireResponse): boolean {
  if (finishOf(completion).includes('refusal')) return true
  if (response && FIELD.test(textOf(response.body))) return true
  return completion.toolCalls.length === 0 && OPENING.test(completion.text)
}
