import { isRecorded } from '../../cassette/cassette.ts'
import type { CassetteCheck } from './check.ts'

/** No model has answered the present prompt of a kept answer. */
export const keptAnswers: CassetteCheck = {
  name: 'kept-answers',
  find({ cassette }) {
    return cassette.exchanges.flatMap((exchange, index) => {
      if (!isRecorded(exchange) || !exchange.response.kept) return []
      const problem =
        'The answer was given to another prompt, and kept when that changed. To record all such tests again: npx vitest-cassette record --kept'
      return [{ severity: 'warning' as const, place: `/exchanges/${index}/response/kept`, problem }]
    })
  },
}
