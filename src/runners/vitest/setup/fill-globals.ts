import { builtin } from '../../../real/builtin.ts'
import { isInVmPool } from '../../../real/shared.ts'

// In a vm pool, a DOM environment lacks some globals that msw reads on import. So this module is
// imported before all others. Elsewhere, reading these globals would only load them.
if (isInVmPool()) {
  const main = builtin('node:vm').runInThisContext('globalThis') as Record<string, unknown>
  const own = globalThis as unknown as Record<string, unknown>
  for (const name of [
    'BroadcastChannel',
    'CompressionStream',
    'DecompressionStream',
    'ReadableStream',
    'TextDecoderStream',
    'TextEncoderStream',
    'TransformStream',
    'WritableStream',
  ])
    own[name] ??= main[name]
}
