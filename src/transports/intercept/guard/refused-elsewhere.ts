import { CassetteError } from '../../../errors.ts'
import {
  type Connection,
  describeConnection,
  type Elsewhere,
  WAITED_FOR,
  waysOutOf,
  withoutUser,
} from './guard-policy.ts'

const WAITED: Elsewhere = { where: 'in a child process', unanswered: WAITED_FOR }

/** The error of a program that asks while its test waits for it. */
export function refusedWaited(url: string): CassetteError {
  return new CassetteError(
    'refused',
    `A request to ${withoutUser(url)} by a program that its test waits for is refused, while recording too.\n` +
      waysOutOf({ host: new URL(url).hostname }, WAITED),
  )
}

/** The warning about a connection that a recording does not see. */
export function unrecordedConnection(connection: Connection, elsewhere: Elsewhere): string {
  return (
    `${describeConnection(connection, elsewhere.where)} is not recorded, and will be refused in replay.\n` +
    waysOutOf(connection, elsewhere)
  )
}
