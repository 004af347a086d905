import type { VolatileRule } from '../config/volatile-rule.ts'
import type { Pair } from './bind.ts'
import type { Recorded } from './recorded.ts'

/** An exchange that answers a request, and the values of this run in place of the recorded ones. */
export interface Found {
  recorded: Recorded
  /** Absent where this request and all earlier ones have the recorded values, word for word. */
  pairs?: () => Pair[]
  /** The undeclared volatile values that differ; only a run of `doctor` finds such an exchange. */
  undeclared?: Suggestion
  /** The prompt differs, its place in the conversation is the same; only mode `prompts` finds such an exchange. */
  kept?: true
  /** The speaker of the test that gave the answer in this run; the answer is not recorded. */
  speaker?: string
}

/** The exchange whose answer is kept for a changed prompt, or why there is none. */
export interface KeptPlace {
  found?: Found
  notKept?: string
}

/** The rules that would resolve a miss in which only volatile values differ. */
export interface Suggestion {
  /** The rules that are missing, names and paths. */
  rules: VolatileRule[]
  /** The values that differ, with the rule that fits each. */
  pairs: Pair[]
}

/** A suggestion for a miss in which values differ that no named rule recognises. */
export interface PartialSuggestion extends Suggestion {
  /** Values at paths in `rules`, which no named rule recognises. Empty where no rule resolves the miss. */
  rest: Pair[]
}
