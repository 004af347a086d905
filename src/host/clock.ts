// Kept before a test can set the time: dates of recordings are real ones.
const RealDate = Date

/** The real time, whatever `vi.setSystemTime` says. */
export function realTime(): Date {
  return new RealDate()
}
