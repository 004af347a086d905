const { ask, summarize } = require('./app.cjs')

it('asks', () => ask('one of common'))
it('has a fallback', () => summarize('a common report'))
it('asks nothing', () => {})
