import { GoogleGenAI } from '@google/genai'
import { test } from 'vitest'
import { keep } from '../keep.ts'

test('a file for Gemini', async () => {
  const httpOptions = { baseUrl: process.env.FRONT_URL! }
  const gemini = new GoogleGenAI({ apiKey: 'none', httpOptions })
  const file = new Blob(['Mow the lawn.'.repeat(400)], { type: 'text/plain' })
  keep('gemini-file', await gemini.files.upload({ file }))
})
