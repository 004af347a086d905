import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PLACES } from './places.ts'

const secrets = JSON.parse(readFileSync('secrets.json', 'utf8')) as string[]
const isRecording = process.env.RECORD !== undefined
const name = process.env.NAME ?? (isRecording ? 'Anna' : 'Bert')

for (const [place, requestWith] of Object.entries(PLACES))
  for (const [at, secret] of secrets.entries()) {
    // A token that is split is signed no more.
    if (place === 'parts' && secret.startsWith('eyJ')) continue
    test(`${place} ${at}`, async () => {
      const query = place === 'tool' ? `?for=${name}&from=${secret}` : ''
      const response = await fetch(`${process.env.ENDPOINT}/v1/chat/completions${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-5', ...requestWith(secret, name) }),
      })
      expect(response.status).toBe(200)
    })
  }
