/** Where a credential can stand in a request. `name` is what a person changed beside it. */
export const PLACES: Record<string, (secret: string, name: string) => object> = {
  prompt: (secret, name) => ({
    messages: [{ role: 'user', content: `Use ${secret} for ${name}.` }],
  }),
  changed: (secret, name) => ({
    messages: [{ role: 'user', content: `For ${name}: ${name === 'Anna' ? 'none' : secret}` }],
  }),
  lines: (secret, name) => ({
    messages: [
      { role: 'system', content: `# Access\n\n${secret}\n\n# Name\n\n${name}` },
      { role: 'user', content: `Hello` },
    ],
  }),
  // Half of it: a rule no longer knows it.
  cut: (secret, name) => ({
    messages: [
      { role: 'system', content: `The key is ${secret}` },
      {
        role: 'user',
        content: name === 'Anna' ? 'None' : secret.slice(0, Math.ceil(secret.length * 0.6)),
      },
    ],
  }),
  arguments: (secret, name) => ({
    messages: [
      { role: 'user', content: 'Log in' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'call_1',
            type: 'function',
            function: { name: 'log_in', arguments: JSON.stringify({ name, token: secret }) },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ [name]: secret }) },
    ],
  }),
  tool: (secret, name) => ({
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [
      {
        type: 'function',
        function: { name: 'search', description: `Searches for ${name} with ${secret}` },
      },
    ],
    metadata: { api_key: secret, name },
  }),
  parts: (secret, name) => ({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `${name} has ${secret.slice(0, secret.length / 2)}` },
          { type: 'text', text: `${secret.slice(secret.length / 2)} today` },
        ],
      },
    ],
  }),
  encoded: (secret, name) => ({
    messages: [
      { role: 'user', content: `${name}: ${Buffer.from(`is ${secret} ok`).toString('base64')}` },
      { role: 'user', content: `${name}: ${JSON.stringify([...Buffer.from(secret)])}` },
    ],
    metadata: { bytes: [...Buffer.from(secret)], name },
  }),
}
