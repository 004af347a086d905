import { CassetteError } from '../../errors.ts'
import { readCap } from '../terminal/options.ts'

/** The command line of `record`. */
export interface RecordWords {
  /** The value of `RECORD` in the run. */
  mode: '1' | 'new' | 'prompts' | 'all-bytes'
  /** Which tests are recorded: all that run, those that a replay shows to need it, or those with kept answers. */
  which: 'all' | 'missing' | 'changed' | 'kept'
  /** In US dollars. */
  maxCost?: number
  /** The arguments for Vitest. */
  others: string[]
}

const MODES: Record<string, RecordWords['mode']> = {
  '--new': 'new',
  '--prompts': 'prompts',
  '--all-bytes': 'all-bytes',
}
const WHICH: Record<string, RecordWords['which']> = {
  '--missing': 'missing',
  '--changed': 'changed',
  '--kept': 'kept',
}

/**
 * Separates the arguments of `record` from those of Vitest.
 *
 * @throws CassetteError `invalid-command` for arguments that contradict each other, a misspelled one, and an invalid
 *   `--max-cost`.
 */
export function readRecordWords(words: readonly string[]): RecordWords {
  refuseMisspelled(words)
  const modes = words.filter((word) => word in MODES)
  const which = words.filter((word) => word in WHICH)
  const [one, other] = [...new Set([...modes, ...which])].filter((word) => word !== '--all-bytes')
  const isMixed = other !== undefined || (modes.length > 0 && which.length > 0 && one !== which[0])
  if (isMixed || (modes.includes('--all-bytes') && (one === '--new' || one === '--prompts')))
    throw new CassetteError(
      'invalid-command',
      `${one} and ${other ?? '--all-bytes'} contradict each other. Use one of them.`,
    )
  const [maxCost, rest] = takeCap(words)
  return {
    mode: MODES[modes[0] ?? ''] ?? '1',
    which: WHICH[which[0] ?? ''] ?? 'all',
    ...(maxCost === undefined ? {} : { maxCost }),
    others: rest.filter((word) => !(word in MODES) && !(word in WHICH) && word !== '--'),
  }
}

/** Refuses a misspelled option of `record`. All other options are for Vitest. */
function refuseMisspelled(words: readonly string[]): void {
  const own = [...Object.keys(MODES), ...Object.keys(WHICH), '--max-cost']
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]!)
  for (const option of options.filter((word) => !own.includes(word))) {
    const meant = own.find((known) => isMisspelled(option, known))
    if (meant === undefined) continue
    const message = `There is no option ${option}. Did you mean ${meant}?`
    throw new CassetteError('invalid-command', message)
  }
}

/** Whether two options have the same letters in another order, but for one letter. */
function isMisspelled(option: string, known: string): boolean {
  const isNear = option[2] === known[2] && Math.abs(option.length - known.length) < 3
  const letters = new Set([...option, ...known])
  const others = [...letters].filter((letter) => option.includes(letter) !== known.includes(letter))
  return isNear && others.length < 2
}

function takeCap(words: readonly string[]): [number | undefined, string[]] {
  const index = words.findIndex((word) => /^--max-cost(?:=|$)/.test(word))
  if (index < 0) return [undefined, [...words]]
  const isJoined = words[index]!.includes('=')
  const text = isJoined ? words[index]!.slice('--max-cost='.length) : words[index + 1]
  return [readCap(text), words.toSpliced(index, isJoined ? 1 : 2)]
}
