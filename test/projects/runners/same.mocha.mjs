import { ask } from './app.mjs'

it('the same name', () => ask('first'))
it('the same name', () => ask('second'))
