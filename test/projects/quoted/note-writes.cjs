// Notes all that a process writes into files, also into those that are gone at its end.
const fs = require('node:fs')
const { openSync, writeSync } = fs
const log = openSync(process.env.WRITES, 'a')

for (const name of ['writeFileSync', 'appendFileSync']) {
  const write = fs[name]
  fs[name] = (file, content, ...options) => {
    writeSync(log, `${JSON.stringify([String(file), String(content)])}\n`)
    return write(file, content, ...options)
  }
}
