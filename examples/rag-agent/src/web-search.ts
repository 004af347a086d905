const SEARCH = process.env.SEARCH_URL ?? 'https://api.search.brave.com'

/** What the first results of a search say, by the API of Brave. */
export async function searchWeb(question: string): Promise<string[]> {
  const query = new URLSearchParams({ q: question, count: '2' })
  const response = await fetch(`${SEARCH}/res/v1/web/search?${query}`, {
    headers: { 'x-subscription-token': process.env.BRAVE_API_KEY ?? '' },
  })
  if (!response.ok) throw new Error(`The search does not answer: ${response.status}`)
  const { web } = (await response.json()) as Found
  return web.results.map(({ title, description }) => `${title}: ${description}`)
}

interface Found {
  web: { results: { title: string; description: string }[] }
}
