import type { WireRequest } from '../../wire/message.ts'
import { providerOf } from '../kit/providers.ts'

/** Ollama's default port. */
const PORT = '11434'

/** Whether a request goes to a known address of Ollama, so that its body need not prove the format. */
export function isForOllama(request: WireRequest): boolean {
  const url = URL.parse(request.url)
  return url !== null && (url.port === PORT || providerOf(url) === 'ollama')
}
