/** Asks as applications do: once for all of an answer, and once for a stream. */
export async function ask() {
  for (const stream of [false, true]) {
    const messages = [{ role: 'user', content: 'Hi' }]
    const body = JSON.stringify({ model: 'gpt-5', stream, messages })
    const url = `${process.env.UPSTREAM_URL}/v1/chat/completions`
    const response = await fetch(url, { method: 'POST', body })
    if (!(await response.text()).includes('Hello')) throw new Error('That was no answer.')
  }
}
