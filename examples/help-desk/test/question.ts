/** The body of a request to the chat route, as the page sends it. */
export function question(text: string): string {
  return JSON.stringify({ messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }] })
}
