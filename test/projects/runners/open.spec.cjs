const { openCassette } = require('vitest-cassette/open-cassette')
const { summarize } = require('./app.cjs')

for (const name of ['first', 'second'])
  test(`opens the ${name} cassette`, async () => {
    const cassette = openCassette({ path: `opened/${name}.json` })
    try {
      expect(await summarize(name)).toMatch(/\w/)
    } finally {
      await cassette.close()
    }
  })
