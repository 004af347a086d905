/** A passage of the handbook, and how similar it is to what was asked. */
export interface Passage {
  text: string
  score: number
}

/** The two passages of the handbook that are closest to a vector, by the REST API of Qdrant. */
export async function findInHandbook(query: number[]): Promise<Passage[]> {
  const url = `${process.env.QDRANT_URL}/collections/handbook/points/query`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': process.env.QDRANT_API_KEY ?? '' },
    body: JSON.stringify({ query, limit: 2, with_payload: true }),
  })
  if (!response.ok) throw new Error(`The handbook does not answer: ${response.status}`)
  const { result } = (await response.json()) as Found
  return result.points.map(({ score, payload }) => ({ score, text: payload.text }))
}

interface Found {
  result: { points: { score: number; payload: { text: string } }[] }
}
