import { isRecorded, type Cassette } from '../cassette/format/cassette.ts'
import type { RecordingFacts, RunStatistics } from '../config/why-invalid.ts'

/** Reads the facts that strategies judge from a cassette. */
export function factsOf(cassette: Cassette, runs?: RunStatistics): RecordingFacts {
  const { conversationId: test, timestamp, oldestAnswer, exchanges, invalid } = cassette
  const recorded = exchanges.filter(isRecorded)
  const models = recorded.flatMap(({ prompt: { metadata } }) =>
    typeof metadata.model === 'string' ? metadata.model : [],
  )
  return {
    test,
    ...(recorded.length > 0 ? { recorded: new Date(oldestAnswer ?? timestamp) } : {}),
    models: [...new Set(models)],
    ...(invalid ? { invalid } : {}),
    ...(runs ? { runs } : {}),
  }
}
