import { type Providers, RENAMED } from '../provider.ts'

export const cohere: Providers = {
  cohere: {
    hosts: ['api.cohere.com', 'api.cohere.ai'],
    equal: RENAMED,
    keys: ['CO_API_KEY', 'COHERE_API_KEY'],
    baseUrls: ['CO_API_URL', 'COHERE_BASE_URL'],
    address: 'https://api.cohere.com',
    paths: {
      'cohere-chat': /\/v2\/chat\/?$/,
      'cohere-embed': /\/v2\/embed\/?$/,
      'cohere-rerank': /\/v\d\/rerank\/?$/,
    },
    headers: { 'cohere-version': 'text' },
  },
}
