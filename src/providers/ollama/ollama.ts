import { type Providers, RENAMED } from '../provider.ts'

export const ollama: Providers = {
  ollama: {
    hosts: ['ollama.com', 'api.ollama.com'],
    equal: RENAMED,
    keys: ['OLLAMA_API_KEY'],
    accounts: [],
    baseUrls: ['OLLAMA_HOST'],
    address: 'http://127.0.0.1:11434',
    paths: {
      'ollama-chat': /\/api\/(?:chat|generate)\/?$/,
      'ollama-embed': /\/api\/embed(?:dings)?\/?$/,
    },
    textErrors: /\/api\/(?:chat|generate|embed)$/,
  },
}
