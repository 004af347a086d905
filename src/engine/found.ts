import type { VolatileRule } from '../config/volatile-rule.ts'
import type { Pair } from './bind.ts'
import type { Recorded } from './recorded.ts'

/** An exchange that answers, and the values of this run that stand for its own. */
export interface Found {
  recorded: Recorded
  /** Absent where it is the very request, word for word, as all before it were. */
  pairs?: () => Pair[]
  /** What differs although nobody declared it; only a run of `doctor` finds such an exchange. */
  undeclared?: Suggestion
  /** The prompt is another one, and its place in the conversation the same; only mode `prompts` finds such an exchange. */
  kept?: true
  /** The speaker that said it in this run, and nobody recorded. */
  speaker?: string
}

/** The exchange whose answer is kept for a changed prompt, or why there is none. */
export interface KeptPlace {
  found?: Found
  notKept?: string
}

/** What would settle a miss in which only volatile values differ. */
export interface Suggestion {
  /** The rules that are missing, names and paths. */
  rules: VolatileRule[]
  /** The values that differ, with the rule that fits each. */
  pairs: Pair[]
}

/** What can be said of a miss in which other values differ besides those that are recognised. */
export interface PartialSuggestion extends Suggestion {
  /** Values at places that `rules` name, which no named rule recognises. Empty where no rule settles the miss. */
  rest: Pair[]
}
