import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

// Counts the functions that every process runs. A test file asks for the figures.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
globalThis.writeCounts = (file) =>
  session.post('Profiler.takePreciseCoverage', (_, counts) =>
    writeFileSync(file, JSON.stringify(counts)),
  )
