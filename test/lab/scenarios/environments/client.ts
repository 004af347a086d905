import OpenAI from 'openai'

/** Made once for all files, where files share their modules. */
export const openai = new OpenAI({
  apiKey: 'sk-none',
  baseURL: `${process.env.UPSTREAM_URL}/v1`,
  maxRetries: 0,
  dangerouslyAllowBrowser: true,
})
