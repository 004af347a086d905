// A provider that drifts, as a process of its own: what is sent to it is counted outside of whoever sends it.
import { DriftingProvider, type Drift } from './drifting-provider.ts'

const provider = await DriftingProvider.start()

/** Its parent says how it drifts, and is told what it was asked since then. */
process.on('message', (drifts: Record<string, Drift>) => {
  const seen = provider.seen.splice(0).map(({ path, body }) => ({ path, model: body.model }))
  provider.drift = Object.fromEntries(
    Object.entries(drifts).map(([prompt, drift]) => [
      prompt,
      (before) => (Array.isArray(drift) ? (drift[before] ?? undefined) : drift),
    ]),
  )
  process.send!(seen)
})
process.on('disconnect', () => process.exit())
process.send!(provider.url)
