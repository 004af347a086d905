import { runInThisContext } from 'node:vm'

// In a vm pool, a DOM environment lacks some globals that msw reads on import. So this module is
// imported before all others.
const main = runInThisContext('globalThis') as Record<string, unknown>
const own = globalThis as unknown as Record<string, unknown>
const names = [
  'BroadcastChannel',
  'CompressionStream',
  'DecompressionStream',
  'ReadableStream',
  'TextDecoderStream',
  'TextEncoderStream',
  'TransformStream',
  'WritableStream',
]
// If both are the same, reading these globals would only load them.
if (own !== main) for (const name of names) own[name] ??= main[name]
