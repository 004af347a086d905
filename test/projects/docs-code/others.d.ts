declare module '@cloudflare/vitest-plugin' {
  export function cloudflareTest(options: object): import('vitest/config').Plugin
}

declare module '*/app.mjs' {
  export const summarize: (text: string) => Promise<string>
}

declare module '*/classify.ts' {
  export const classify: (text: string) => Promise<string>
}

declare module '*/refund-agent.ts' {
  export const answerCustomer: (question: string) => Promise<string>
}

declare module 'next' {
  export interface NextConfig {
    cacheMaxMemorySize?: number
    cacheHandler?: string
    cacheHandlers?: Record<string, string>
  }
}
