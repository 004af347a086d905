import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Case {
  title: string
  url: string
  requests: object[]
}

const cases = JSON.parse(readFileSync('cases.json', 'utf8')) as Case[]

// Not by test.for(), which shortens long titles.
for (const { title, url, requests } of cases) {
  test(title, async () => {
    const answers: string[] = []
    for (const body of requests) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
      answers.push(await response.text())
    }
    const [called, said] = answers.map((answer) => JSON.parse(answer).choices[0].message)
    expect(called.tool_calls[0].function.arguments).toBe('{"order":7}')
    expect(said.content).toMatch(/^The order was handed .* lost it\.$/)
    expect('polluted' in {}).toBe(false)
  })
}
