import { type Providers, REGION } from '../provider.ts'

export const WATSONX_PATHS = {
  watsonx:
    /\/ml\/v1\/(?:deployments\/[^/]+\/)?text\/(?:chat|generation|embeddings)(?:_stream)?\/?$/,
}

export const watsonx: Providers = {
  'ibm.watsonx.ai': { hosts: ['*.ml.cloud.ibm.com'], equal: REGION, paths: WATSONX_PATHS },
}
