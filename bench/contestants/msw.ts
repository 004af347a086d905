// Raw msw as its documentation shows it. It looks answers up by the text of the request.
import { http, passthrough, type HttpHandler } from 'msw'
import { setupServer } from 'msw/node'
import { answerByText, globalFetch, recordingFetch, type Contestant } from '../contestant.ts'
import { PROVIDER } from '../exchanges.ts'

function listen(handler: HttpHandler): { close(): void } {
  const server = setupServer(handler)
  server.listen()
  return { close: () => server.close() }
}

export default {
  open(setting) {
    const answer = answerByText(setting)
    const post = http.post(`${PROVIDER}/chat/completions`, ({ request }) => answer(request))
    return { ...listen(post), ...globalFetch() }
  },
  record(setting) {
    return { ...listen(http.all('*', () => passthrough())), ...recordingFetch(setting) }
  },
} satisfies Contestant
