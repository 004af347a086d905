import type { ContextEntry } from './context-entry.ts'

type Role = ContextEntry['role']

/** Whether an entry of `role` begins a turn after an entry of the role `before`. */
type BeginsTurn = (role: Role, before: Role | undefined) => boolean

/** The ways in which people count turns. */
const WAYS: readonly BeginsTurn[] = [
  // A user opens a turn.
  (role) => role === 'user',
  // The answer to a user opens a turn.
  (role, before) => role === 'assistant' && before === 'user',
  // A change of speaker opens a turn.
  (role, before) => before !== undefined && role !== before,
]

/** The turns of entries with these roles, counted in the way that agrees best with the given turns. */
export function numberTurns(
  roles: readonly Role[],
  given: ReadonlyArray<number | undefined>,
): number[] {
  const counted = WAYS.map((begins) => count(roles, begins))
  const misses = counted.map((turns) =>
    turns.filter((turn, index) => given[index] !== undefined && given[index] !== turn),
  )
  const least = Math.min(...misses.map(({ length }) => length))
  return counted[misses.findIndex(({ length }) => length === least)]!
}

/** Counts turns. A system entry never begins one. */
function count(roles: readonly Role[], begins: BeginsTurn): number[] {
  let turn = 0
  let before: Role | undefined
  return roles.map((role) => {
    if (role === 'system') return turn
    if (begins(role, before)) turn++
    before = role
    return turn
  })
}
