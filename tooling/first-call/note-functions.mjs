// Notes which functions of the package a process runs. Not of Vitest's own, which nobody has started with a channel.
import { renameSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { basename } from 'node:path'

const { send } = process
if (send) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const starts = {}
  const note = () =>
    session.post('Profiler.takePreciseCoverage', (_, counted) => {
      for (const { url, functions } of counted?.result ?? [])
        if (/vitest-cassette\/dist\/.+\.[cm]js$/.test(url))
          for (const { ranges } of functions)
            if (ranges[0].count > 0) (starts[basename(url)] ??= []).push(ranges[0].startOffset)
      // It can be killed meanwhile.
      const file = `functions-${process.pid}.json`
      writeFileSync(`${file}.new`, JSON.stringify(starts))
      renameSync(`${file}.new`, file)
    })
  process.on('exit', note)
  // A worker of Vitest is killed once it has told how its file ended.
  process.send = (...args) => {
    note()
    return Reflect.apply(send, process, args)
  }
}
