import process from 'node:process'

const { OPENAI_BASE_URL, WORD = 'two' } = process.env

export async function summarize(name, fetch = globalThis.fetch) {
  try {
    const response = await fetch(`${OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-5',
        messages: [{ role: 'user', content: `Summarize ${name} in ${WORD} words.` }],
      }),
    })
    const { choices } = await response.json()
    return choices[0].message.content
  } catch {
    return 'No summary today.'
  }
}
