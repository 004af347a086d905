import { CassetteError } from '../errors.ts'
import type { Strategy } from './strategy.ts'

/** A function of the user. An error or a wrong return value must not count as "valid". */
export const custom: Strategy = {
  name: 'whyInvalid',
  judge(recording, { whyInvalid }) {
    if (!whyInvalid) return undefined
    const reason = ask(() => whyInvalid(recording))
    if (reason === undefined) return { valid: true, reason: 'no reason' }
    if (typeof reason === 'string' && reason.trim() !== '') return { valid: false, reason }
    const returned = reason === '' ? 'an empty text' : typeof reason
    throw fault(`whyInvalid returned ${returned}. It returns the reason as a text, or undefined.`)
  },
}

function ask(whyInvalid: () => unknown): unknown {
  try {
    return whyInvalid()
  } catch (error) {
    throw fault(`whyInvalid threw: ${String(error)}`, error)
  }
}

function fault(message: string, cause?: unknown): CassetteError {
  return new CassetteError('invalid-option', message, { cause })
}
