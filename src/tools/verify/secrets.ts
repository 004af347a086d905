import { findSecrets } from '../../secrets/find-secrets.ts'
import type { CassetteCheck } from './check.ts'

/** The same scan that runs before a recording is saved, for cassettes that came another way. */
export const secrets: CassetteCheck = {
  name: 'secrets',
  async find({ stored, cassette }) {
    const { secrets: found, more } = await findSecrets(stored, cassette.exchanges)
    const findings = found.map(({ pointer, rule, masked }) => ({
      place: pointer,
      problem: `It looks like a credential, ${masked}, by the rule ${rule}. If it is real, revoke it; then record the test again.`,
    }))
    if (more === 0) return findings
    return [...findings, { problem: `${more} more texts in it look like credentials.` }]
  },
}
