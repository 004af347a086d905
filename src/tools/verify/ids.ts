import { idOfPlace } from '../../cassette/written.ts'
import type { CassetteCheck, Remark } from './check.ts'

/** References find an exchange by its id, and a request on a socket names the exchange before it. */
export const ids: CassetteCheck = {
  name: 'ids',
  find({ stored }) {
    const known = new Set<string>()
    return stored.exchanges.flatMap(({ id: own, wire }, index): Remark[] => {
      const id = own ?? idOfPlace(index)
      const place = `/exchanges/${index}`
      const remarks: Remark[] = []
      const after = wire?.request.after
      if (after !== undefined && !known.has(after))
        remarks.push({
          place: `${place}/wire/request/after`,
          problem: `It follows ${after}, which is no exchange before it.`,
        })
      if (known.has(id))
        remarks.push({ place: `${place}/id`, problem: `Two exchanges are called ${id}.` })
      known.add(id)
      return remarks
    })
  },
}
