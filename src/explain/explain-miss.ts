import type { Miss } from '../engine/session-contract.ts'
import type { Session } from '../engine/session.ts'
import { veilOf } from '../secrets/veil.ts'
import { printable } from '../text/printable.ts'
import { inCassetteOfFile } from './closest.ts'
import type { FindElsewhere } from './elsewhere.ts'
import { MissFacts } from './facts/miss-facts.ts'
import { decideFailure, type Failure, kindOf } from './failure.ts'
import { MISSES } from './failures/misses.ts'

/**
 * The failure of a test that asked for what is not recorded.
 *
 * @param find finds where else the prompt is recorded
 */
export function failureOfMiss(
  session: Session,
  miss: Miss,
  color: boolean,
  find?: FindElsewhere,
): Failure {
  return decideFailure(MISSES, factsOf(session, miss, color, find))!
}

/** The cassette of the file can have what a test asked for: its text is then about that. */
function factsOf(session: Session, miss: Miss, color: boolean, find?: FindElsewhere): MissFacts {
  const shared = inCassetteOfFile(session, miss)
  return shared ? new MissFacts(...shared, color) : new MissFacts(session, miss, color, find)
}

/** The text that the application gets in place of an answer. */
export function explainBriefly(session: Session, miss: Miss): string {
  return veilOf(session).learn(miss.incoming.wire).hide(tellBriefly(session, miss))
}

function tellBriefly(session: Session, miss: Miss): string {
  if (miss.reason === 'closed') {
    return (
      `The test "${session.test.id}" had ended when this request was made, so nothing answers it. ` +
      'Await the call in the test that starts it.'
    )
  }
  if (miss.reason === 'fault') return printable(session.fault!.message)
  if (miss.starter !== undefined)
    return (
      `${explainInOneLine(session, miss)}. The test "${session.test.id}" was running. The code that asks was started by ` +
      `"${miss.starter}", which had ended when this request was made. The failure shows the diff.`
    )
  return `${explainInOneLine(session, miss)}. The test "${session.test.id}" fails with the diff.`
}

/** The difference of a request from the closest exchange, without a full stop. */
export function explainInOneLine(session: Session, miss: Miss): string {
  const facts = factsOf(session, miss, false)
  return kindOf(MISSES, facts)!.headline(facts)
}
