import { runInThisContext } from 'node:vm'

// In a vm pool a DOM environment has the globals of a browser of its own, which lacks some that msw
// reads when it is imported. So this comes before everything else.
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
// Where they are the same, a look at them would only load them.
if (own !== main) for (const name of names) own[name] ??= main[name]
