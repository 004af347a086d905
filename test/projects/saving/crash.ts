import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// The process dies in the middle of writing a cassette, whichever file it writes first.
const { writeFile } = fs
fs.writeFile = async (file, content, options) => {
  const text = String(content)
  if (!String(file).includes('.json')) return writeFile(file, content, options)
  await writeFile(file, text.slice(0, text.length / 2), options)
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => {})
}
syncBuiltinESMExports()
