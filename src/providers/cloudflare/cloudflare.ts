import type { Providers } from '../provider.ts'

export const CLOUDFLARE_PATHS = {
  'cloudflare-run': /\/(?:ai\/run|workers-ai)\/((?:@|%40)\w+\/[^/]+\/[^/]+)\/?$/,
}

export const cloudflare: Providers = {
  cloudflare: {
    hosts: ['gateway.ai.cloudflare.com'],
    paths: CLOUDFLARE_PATHS,
    headers: { 'cf-aig-cache-key': 'digest', 'cf-aig-skip-cache': 'text' },
    families: ['cf-aig'],
  },
}
