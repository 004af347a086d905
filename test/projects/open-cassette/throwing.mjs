// Throws for the refusal of a changed prompt, as SDKs do.
import { openCassette } from 'vitest-cassette/open-cassette'
import { byFetch } from './ask.mjs'

await using cassette = openCassette({ path: 'cassettes/first.json' })
void cassette
const { error } = await byFetch('another prompt')
throw new Error(error ? 'the SDK failed' : 'it was answered')
