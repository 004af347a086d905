const { expect, test } = require('bun:test')
const { summarize } = require('./app.cjs')

test('has a fallback', async () => {
  expect(await summarize('a report')).toBeString()
})
