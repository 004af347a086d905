import { expect, test } from 'vitest'

const { QUESTION = 'Which lamps save the most energy?', LANGUAGE = 'en' } = process.env

test('a search', async () => {
  const query = new URLSearchParams({ q: QUESTION, lang: LANGUAGE, page: '2' })
  const response = await fetch(`http://127.0.0.1:4022/search?${query}`)
  expect(await response.json()).toEqual({ results: ['LED lamps'] })
})
