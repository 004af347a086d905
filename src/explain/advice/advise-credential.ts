import type { DifferingCredential } from '../../secrets/restore-plain-values.ts'
import { printable } from '../../text/printable.ts'

/** The headline of a request in which a server that the provider calls gets another credential. */
export function headlineOfCredential(credential: DifferingCredential): string {
  const { path } = credential
  if (credential.other === undefined)
    return printable(
      `A server gets another credential: ${path} was the value of ${credential.recorded}, and now is that of ${credential.now}`,
    )
  const [was, is] = credential.areSame ? ['differed', 'are equal'] : ['were equal', 'differ']
  return printable(
    `A server gets another credential: ${credential.other} and ${path} ${was} in the recording, and now ${is}`,
  )
}

/** What to do about it: no credential is stored, so the value alone is never the reason. */
export function adviseOnCredential(credential: DifferingCredential): string {
  if (credential.other === undefined)
    return (
      'The cassette holds the names of the variables, and no value, so any value of the recorded variable matches.\n' +
      `If this machine has the recorded credential under another name, set ${printable(credential.recorded)} to it.`
    )
  return 'The cassette holds which credentials of a request are equal, and no value, so other values match as long as the same ones are equal.'
}
