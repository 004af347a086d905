declare module '@cloudflare/vitest-plugin' {
  export function cloudflareTest(options: object): import('vitest/config').Plugin
}

declare module '*/app.mjs' {
  export const summarize: (text: string) => Promise<string>
}
