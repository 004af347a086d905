// Kept before a test can fake the time: the dates and durations of recordings are real ones.
const RealDate = Date
const ofProcess = performance
const { now } = ofProcess

/** The real time, whatever `vi.setSystemTime` says. */
export function realTime(): Date {
  return new RealDate()
}

/** Milliseconds since some time, as `performance.now()` counts them. */
export function realNow(): number {
  return now.call(ofProcess)
}
