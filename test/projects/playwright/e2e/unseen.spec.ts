import { expect, test } from 'vitest-cassette/playwright'

// On a busy machine Playwright can hold the first request of a worker's worker: it waits for an event from before it
// listened.
test.describe.configure({ retries: 4, timeout: 12_000 })

/** Runs a script in a page, with what it needs to ask. */
const KIT = `
  const url = '${process.env.OPENAI_BASE_URL}/chat/completions'
  const source = (content) => {
    const body = JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content }] })
    const headers = { authorization: 'Bearer sk-of-a-page', 'content-type': 'application/json' }
    const asked = JSON.stringify({ method: 'POST', headers, body })
    return \`fetch('\${url}', \${asked}).then((response) => response.json())
      .then(({ choices }) => choices[0].message.content).catch(String)\`
  }
  const script = (text) => URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  const heard = (port) => new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)))`

for (const [title, run, count] of [
  [
    'workers of workers',
    `const said = [1, 2, 3].map((number) => {
      const inner = source('Within ' + number) + '.then(postMessage)'
      return heard(new Worker(script('const inner = new Worker(URL.createObjectURL(new Blob([' +
        JSON.stringify(inner) + ']))); inner.onmessage = ({ data }) => postMessage(data)')))
    })
    return Promise.all(said)`,
    3,
  ],
  [
    'a shared worker',
    `return heard(new SharedWorker(script('onconnect = ({ ports: [port] }) => ' +
      source('Shared') + '.then((said) => port.postMessage(said))')).port)`,
    1,
  ],
  [
    'the first script of a sandboxed frame',
    `const said = heard(window)
    const frame = document.createElement('iframe')
    frame.sandbox = 'allow-scripts'
    frame.srcdoc = '<script>' + source('Sandboxed') + '.then((said) => parent.postMessage(said, "*"))</' + 'script>'
    document.body.append(frame)
    return said`,
    1,
  ],
  [
    'the first script of a new window',
    `const said = heard(window)
    const html = '<script>' + source('In a window') + '.then((said) => opener.postMessage(said, "*"))</' + 'script>'
    window.open(URL.createObjectURL(new Blob([html], { type: 'text/html' })))
    return said`,
    1,
  ],
] as const)
  test(`asks from ${title}`, async ({ page, cassette }) => {
    await page.goto('/')
    const said = await page.evaluate(`(async () => { ${KIT}\n${run} })()`)
    expect(String(said)).toMatch(/^You said: /)
    expect(cassette.exchanges).toHaveLength(count)
  })
