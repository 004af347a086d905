import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Moves the recordings to the hosts of the providers themselves, in the run that asks these. */
export default function moveRecordings(): void {
  const { LAB_RUN, UPSTREAM_URL } = process.env
  if (LAB_RUN !== 'threads') return
  const folder = join(import.meta.dirname, '__recordings__')
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.json')) continue
    const host = file.includes('own') ? 'api.openai.com' : 'bedrock-runtime.us-east-1.amazonaws.com'
    const path = join(folder, file)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(UPSTREAM_URL!, `https://${host}`))
  }
}
