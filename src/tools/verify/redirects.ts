import { matchesHost } from '../../config/hosts.ts'
import { strayLocations } from '../../engine/leads.ts'
import type { CassetteCheck } from './check.ts'

/** Clients follow a location on their own, with the prompt and often the key. Replay refuses it; a reviewer sees it. */
export const redirects: CassetteCheck = {
  name: 'redirects',
  find({ cassette }, { config }) {
    return strayLocations(cassette)
      .filter(({ lead }) => !matchesHost(lead.to, config.allowHosts))
      .map(({ index, lead: { asked, to } }) => ({
        place: `/exchanges/${index}/wire/response/headers/location`,
        problem:
          `The answer of ${new URL(asked.url).host} leads to ${to.host}, and nothing is recorded there. If somebody ` +
          'edited it, restore it from git. If it is meant, record the test again with RECORD=1, so that both are ' +
          `recorded, or name the host: --allow-hosts ${to.hostname}`,
      }))
  },
}
