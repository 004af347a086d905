import { vi } from 'vitest'

// Tests of sources have no build from which these parts could be required.
vi.mock(import('../src/attempt/load-explain.ts'), async () => {
  const layer = await import('../src/attempt/closing/explain-layer.ts')
  return { loadExplain: () => layer }
})
vi.mock(import('../src/cassette/format/load-advice.ts'), async () => {
  const part = await import('../src/cassette/format/advise-on-text.ts')
  return { loadAdvice: () => part }
})
vi.mock(import('../src/cassette/format/load-parse.ts'), async () => {
  const part = await import('../src/cassette/parse.ts')
  return { loadParse: () => part }
})
vi.mock(import('../src/recording/smallest-diff/load-merge.ts'), async () => {
  const part = await import('../src/recording/keep-unchanged.ts')
  return { loadMerge: () => part }
})
vi.mock(import('../src/secrets/notes/load-redactor.ts'), async () => {
  const part = await import('../src/secrets/without-secrets.ts')
  return { loadRedactor: () => part }
})
vi.mock(import('../src/features/written/load-told.ts'), async () => {
  const layer = await import('../src/features/written/told-layer.ts')
  return { loadTold: () => layer }
})
vi.mock(import('../src/transports/intercept/http/load-sharing.ts'), async () => {
  const part = await import('../src/transports/intercept/http/share-network.ts')
  return { loadSharing: () => part }
})
