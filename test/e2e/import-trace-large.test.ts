import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { times } from '../effort.ts'
import { chatOf, otlpSpan } from '../tools/import/traces/spans.ts'
import { VitestProject } from './vitest-project.ts'

/** Prints the most memory that a process had, in KB, when it ends. */
const TELL_MEMORY =
  "process.on('exit', () => process.stderr.write('most memory: ' + process.resourceUsage().maxRSS))"

const LARGE = times(20, 80)
const WORDS = 'Some words of a "quoted" prompt. '.repeat(400)

/** Spans of ever more traces, of which each has its four calls scattered over the file. */
function* spans(): Generator<string> {
  for (let index = 0; ; index++) {
    const [round, step, place] = [Math.floor(index / 80), Math.floor((index % 80) / 20), index % 20]
    const said = `${WORDS} ${round}.${place}.${step}`
    const trace = `${round * 20 + place + 1}`
    const attributes = chatOf(said, `Answer ${index}`)
    yield JSON.stringify(otlpSpan({ id: `${index}`, trace, attributes }, index))
  }
}

/** How each form of a file begins, stands between spans, and ends. */
const FORMS = {
  lines: ['', '{"resourceSpans":[{"scopeSpans":[{"spans":[', ']}]}]}\n'],
  'one object': ['{"resourceSpans":[{"scopeSpans":[{"spans":[', '', ']}]}]}'],
  'a list': ['[', '{"resourceSpans":[{"scopeSpans":[{"spans":[', ']}]}]}'],
} as const

function writeTrace(path: string, form: keyof typeof FORMS, megabytes: number): void {
  const [head, before, after] = FORMS[form]
  const isOne = before === ''
  const file = openSync(path, 'w')
  let written = writeSync(file, head)
  let between = ''
  for (const span of spans()) {
    written += writeSync(file, `${between}${before}${span}${isOne ? '' : after}`)
    if (form !== 'lines') between = ','
    if (written > megabytes * 1_000_000) break
  }
  writeSync(file, isOne ? after : form === 'a list' ? ']' : '')
  closeSync(file)
}

test.for(Object.keys(FORMS) as Array<keyof typeof FORMS>)(
  'a trace of hundreds of MB takes little more memory than a small one: %s',
  { timeout: times(120_000, 900_000) },
  async (form) => {
    const project = new VitestProject('imported')
    const preload = join(project.dir, 'memory.cjs')
    writeFileSync(preload, TELL_MEMORY)
    const most: number[] = []
    for (const megabytes of [1, LARGE]) {
      writeTrace(join(project.dir, 'trace.json'), form, megabytes)
      const words = 'import trace.json --to out --json'
      const { exitCode, output } = await project.cli(words, {
        NODE_OPTIONS: `--require ${preload}`,
      })
      expect(exitCode, output.slice(0, 2_000)).toBe(0)
      const traces = output.match(/"trace": /g)!.length
      expect(traces).toBeGreaterThan(megabytes * 15)
      most.push(Number(/most memory: (\d+)/.exec(output)![1]) / 1024)
    }
    expect(most[1], `${most} MB`).toBeLessThan(400)
  },
)
