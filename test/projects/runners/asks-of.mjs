import { ask } from './app.mjs'

await ask(`of ${process.argv[2]}`)
console.log('answered')
