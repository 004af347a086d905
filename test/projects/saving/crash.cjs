const fs = require('node:fs')

// A worker dies in the middle of writing a cassette, whichever file it writes first. Required before anything else, since
// the guard keeps the functions that it finds.
const { writeFileSync } = fs
fs.writeFileSync = (file, content, options) => {
  const text = String(content)
  if (!process.send || !/\.json\..*\.tmp$/.test(String(file)))
    return writeFileSync(file, content, options)
  writeFileSync(file, text.slice(0, text.length / 2), options)
  process.kill(process.pid, 'SIGKILL')
}
