import type { WireRequest } from '../../wire/message.ts'
import { providerOf } from '../kit/providers.ts'

/** Ollama's default port. */
const PORT = '11434'

/** Whether a request is sent to where Ollama is known to be, so that its body need not prove it. */
export function isForOllama(request: WireRequest): boolean {
  const url = URL.parse(request.url)
  return url !== null && (url.port === PORT || providerOf(url) === 'ollama')
}
