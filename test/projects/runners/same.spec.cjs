const { ask } = require('./app.cjs')

test('the same name', () => ask('first'))
test('the same name', () => ask('second'))
