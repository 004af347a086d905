const { UPSTREAM_URL, WORD = 'two', SILENT } = process.env

export async function ask(content) {
  const response = await fetch(`${UPSTREAM_URL}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
  })
  const { choices } = await response.json()
  return choices[0].message.content
}

/** Has a fallback, as applications do. */
export async function summarize(name) {
  if (SILENT) return 'Nothing to say.'
  try {
    return await ask(`Summarize ${name} in ${WORD} words.`)
  } catch {
    return 'No summary today.'
  }
}
