import type { Providers } from '../provider.ts'

const REPLICATE_PATHS = {
  replicate: /\/v1\/(?:models|deployments)\/[^/]+\/[^/]+\/predictions\/?$/,
}

export const replicate: Providers = {
  replicate: {
    hosts: ['api.replicate.com', 'stream.replicate.com'],
    equal: 'one service, whose streams have paths of their own',
    keys: ['REPLICATE_API_TOKEN'],
    paths: REPLICATE_PATHS,
    jobs: [REPLICATE_PATHS.replicate],
    headers: { prefer: 'set' },
  },
}
