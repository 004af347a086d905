import { RESTORE, type CassetteCheck } from './check.ts'
import { hashStoredRequests } from '../../recording/describe.ts'

/** Matching never trusts the stored hash; a wrong one shows that the recorded request was edited. */
export const promptHash: CassetteCheck = {
  name: 'prompt-hash',
  find({ cassette }) {
    const hashes = hashStoredRequests(
      cassette.exchanges.map(({ id, wire }) => ({ id, request: wire?.request })),
    )
    return cassette.exchanges.flatMap(({ prompt }, index) => {
      if (hashes[index] === undefined || prompt.hash === hashes[index]) return []
      const problem = `The hash is not that of the recorded request, which has ${hashes[index]}: one of them was edited. ${RESTORE}`
      return [{ place: `/exchanges/${index}/prompt/hash`, problem }]
    })
  },
}
