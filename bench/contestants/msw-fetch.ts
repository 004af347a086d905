// msw over a replacement of global fetch, without a socket.
import { FetchInterceptor } from '@mswjs/interceptors/fetch'
import { http, passthrough } from 'msw'
import { defineNetwork, InterceptorSource } from 'msw/experimental'
import { answerByText, globalFetch, recordingFetch, type Contestant } from '../contestant.ts'
import { PROVIDER } from '../exchanges.ts'

type Handlers = Parameters<typeof defineNetwork>[0]['handlers']

/** Returns a function that ends it. */
function listen(handlers: Handlers): () => unknown {
  const sources = [new InterceptorSource({ interceptors: [new FetchInterceptor()] })]
  const network = defineNetwork({ sources, handlers, context: { quiet: true } })
  void network.enable()
  return () => network.disable()
}

export default {
  open(setting) {
    const answer = answerByText(setting)
    const post = http.post(`${PROVIDER}/chat/completions`, ({ request }) => answer(request))
    const close = listen([post])
    return { ...globalFetch(), close }
  },
  record(setting) {
    const close = listen([http.all('*', () => passthrough())])
    return { ...recordingFetch(setting), close }
  },
} satisfies Contestant
