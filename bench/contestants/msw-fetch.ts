// msw over a replacement of global fetch, without a socket.
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { http, passthrough } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import {
  answerByText,
  globalFetch,
  PROVIDER,
  recordingFetch,
  type Contestant,
} from '../contestant.ts'

type Handlers = Parameters<typeof defineNetwork>[0]['handlers']

function listen(handlers: Handlers): void {
  const sources = [new InterceptorSource({ interceptors: [new FetchInterceptor()] })]
  void defineNetwork({ sources, handlers, context: { quiet: true } }).enable()
}

export default {
  open(setting) {
    const answer = answerByText(setting)
    listen([http.post(`${PROVIDER}/chat/completions`, ({ request }) => answer(request))])
    return globalFetch()
  },
  record(setting) {
    listen([http.all('*', () => passthrough())])
    return recordingFetch(setting)
  },
} satisfies Contestant
