import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Names what every process loads, in a file of the process.
registerHooks({
  load(url, context, next) {
    appendFileSync(`${import.meta.dirname}/modules-${process.pid}`, `${url}\n`)
    return next(url, context)
  },
})
