import type { Mode } from '../config/mode.ts'

/** What becomes of a request. */
export type Decision = 'replay' | 'record' | 'live' | 'miss'

/** Decides what becomes of a request, from the mode and from whether an unused exchange answers it. */
export function decide(mode: Mode, answered: boolean): Decision {
  switch (mode) {
    case 'off':
      return 'live'
    case 'all':
      return 'record'
    case 'new':
      return answered ? 'replay' : 'record'
    case 'replay':
    case 'prompts':
      return answered ? 'replay' : 'miss'
  }
}
