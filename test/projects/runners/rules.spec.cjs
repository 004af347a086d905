const { ask } = require('./app.cjs')

test('rules forgive', async () => {
  const name = process.env.RECORD ? 'ann' : 'ben'
  await ask(`req-${process.pid} of ${name}@corp.test`)
})
