import { readFormats, readSet } from '../asking-headers.ts'
import type { HeaderReading } from '../provider.ts'
import { READINGS } from '../tables/headers.ts'
import { loadRareReadings } from './load-rare-readings.ts'

/** Kept headers in the form in which they are compared, each as `name: value`, sorted. */
export function canonicalHeaders(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .flatMap(([name, stored]) => {
      const value = readStored(READINGS.get(name), stored)
      return value === '' && stored !== '' ? [] : `${name}: ${value}`
    })
    .sort()
}

/** The value of a stored header: earlier releases read some in another way. */
function readStored(reading: HeaderReading | undefined, value: string): string {
  if (reading === 'host') return loadRareReadings().endpointNamed(value)
  if (reading === 'set') return readSet(value)
  // Only a frame of bytes is stored with this one, which tells it from a text.
  return reading === 'formats' && value !== 'application/octet-stream' ? readFormats(value) : value
}
