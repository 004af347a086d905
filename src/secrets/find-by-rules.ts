import type { RedactRule } from '../config/redact-rule.ts'
import { CassetteError } from '../errors.ts'
import type { TextSpan } from '../json/text-span.ts'
import { placeholderOf } from './placeholder.ts'

/**
 * Finds the pieces that match the user's rules. The placeholder has the name of the rule: that of its function, or
 * `RULE_1` for the first of the list.
 *
 * @throws CassetteError `invalid-option` for a function that fails or returns no pieces
 */
export function findByRules(text: string, rules: readonly RedactRule[]): TextSpan[] {
  return rules.flatMap((rule, index) => {
    const name = (typeof rule === 'function' && rule.name) || `RULE_${index + 1}`
    return piecesOf(rule, name, text).map(({ start, piece }) => ({
      start,
      end: start + piece.length,
      text: placeholderOf(name),
    }))
  })
}

interface Piece {
  start: number
  piece: string
}

function piecesOf(rule: RedactRule, name: string, text: string): Piece[] {
  if (rule instanceof RegExp) return matchesOf(rule, text)
  return askFor(rule, name, text).flatMap((piece) => placesOf(piece, text))
}

function matchesOf(rule: RegExp, text: string): Piece[] {
  const flags = rule.flags.replace('y', '')
  const global = new RegExp(rule.source, flags.includes('g') ? flags : `${flags}g`)
  return Array.from(text.matchAll(global), ({ 0: piece, index }) => ({ start: index, piece }))
}

function placesOf(piece: string, text: string): Piece[] {
  const places: Piece[] = []
  for (let start = text.indexOf(piece); piece !== '' && start >= 0;) {
    places.push({ start, piece })
    start = text.indexOf(piece, start + piece.length)
  }
  return places
}

function askFor(find: Exclude<RedactRule, RegExp>, name: string, text: string): readonly string[] {
  let pieces: unknown
  try {
    pieces = find(text)
  } catch (error) {
    const message = `The redact rule ${name} threw: ${String(error)}`
    throw new CassetteError('invalid-option', message, { cause: error })
  }
  if (Array.isArray(pieces) && pieces.every((piece) => typeof piece === 'string')) return pieces
  throw new CassetteError(
    'invalid-option',
    `The redact rule ${name} did not return an array of texts. Return the pieces that are not to be stored, none where there are none.`,
  )
}
