// Raw msw as its documentation shows it. It looks answers up by the text of the request.
import { http, passthrough } from 'msw'
import { setupServer } from 'msw/node'
import {
  answerByText,
  globalFetch,
  PROVIDER,
  recordingFetch,
  type Contestant,
} from '../contestant.ts'

export default {
  open(setting) {
    const answer = answerByText(setting)
    const post = http.post(`${PROVIDER}/chat/completions`, ({ request }) => answer(request))
    setupServer(post).listen()
    return globalFetch()
  },
  record(setting) {
    setupServer(http.all('*', () => passthrough())).listen()
    return recordingFetch(setting)
  },
} satisfies Contestant
