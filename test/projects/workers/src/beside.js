// Another Worker, in an isolate of its own.
export default {
  async fetch(request, env) {
    const content = new URL(request.url).searchParams.get('q')
    const response = await fetch(`${env.OPENAI_BASE_URL}/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${env.OPENAI_API_KEY}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] }),
    })
    const { choices } = await response.json()
    return new Response(choices?.[0].message.content ?? 'Sorry, no answer')
  },
}
