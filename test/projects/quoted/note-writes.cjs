// Notes all that a process writes into files, also into those that are gone at its end.
const fs = require('node:fs')
const { openSync, writeSync } = fs
const log = openSync(process.env.WRITES, 'a')

const files = new Map()
fs.openSync = (file, ...options) => {
  const descriptor = openSync(file, ...options)
  files.set(descriptor, String(file))
  return descriptor
}

for (const name of ['writeFileSync', 'appendFileSync']) {
  const write = fs[name]
  fs[name] = (file, content, ...options) => {
    writeSync(log, `${JSON.stringify([files.get(file) ?? String(file), String(content)])}\n`)
    return write(file, content, ...options)
  }
}
