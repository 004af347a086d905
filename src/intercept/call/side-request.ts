import { answerSignIn, isSignIn } from './sign-in.ts'

/**
 * Requests of LLM libraries that are no LLM calls:
 * - `upload`: traces and telemetry
 * - `download`: tokenizers and model files
 * - `metadata`: the metadata service of a cloud
 * - `sign-in`: the exchange of a key for the token of a cloud
 */
export type SideRequest = 'upload' | 'download' | 'metadata' | 'sign-in'

/** Hosts by kind; documented in docs/side-requests.md. `*.` stands for any one label or more. */
const HOSTS: Record<Exclude<SideRequest, 'sign-in'>, string[]> = {
  upload: [
    'api.smith.langchain.com',
    '*.api.smith.langchain.com',
    'cloud.langfuse.com',
    '*.cloud.langfuse.com',
    'api.braintrust.dev',
    'api.traceloop.com',
    'api.helicone.ai',
    'otlp.arize.com',
    'app.phoenix.arize.com',
    'logfire-us.pydantic.dev',
    'logfire-eu.pydantic.dev',
  ],
  download: ['tiktoken.pages.dev', 'openaipublic.blob.core.windows.net', 'huggingface.co'],
  metadata: [
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '[fd00:ec2::254]',
    'metadata.google.internal',
  ],
}

/** Where @openai/agents uploads its traces, on the host of the model itself. */
const TRACE_PATH = /\/v1\/traces\/ingest$/

const kinds = Object.keys(HOSTS) as Array<keyof typeof HOSTS>

/** The kind of a side request; `undefined` for all other requests. */
export function sideRequestOf(url: URL): SideRequest | undefined {
  const { hostname, pathname } = url
  if (TRACE_PATH.test(pathname)) return 'upload'
  if (isSignIn(url)) return 'sign-in'
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return kinds.find((kind) =>
    HOSTS[kind].some((name) =>
      name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name,
    ),
  )
}

/** LangChain tries this host again for a minute after a network error, and at once counts roughly after a 404. */
const TRIED_AGAIN = 'tiktoken.pages.dev'

/**
 * The answer to a side request in replay, which sends none: a receipt, an invalid token, a file that is not there, or
 * the error of a machine offline. Offline, other libraries look into their cache.
 */
export function answerSideRequest(kind: SideRequest, url: URL): Response {
  if (kind === 'sign-in') return answerSignIn(url)
  if (kind === 'upload') return Response.json({}, { status: 200 })
  return url.hostname === TRIED_AGAIN ? new Response('', { status: 404 }) : Response.error()
}
