// Draws docs/review.svg, the picture of `review` in the README: the cassettes of an example after one word of its
// instructions and one answer changed, in a real terminal.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import { drawTerminal } from './draw-terminal.ts'

const example = fileURLToPath(new URL('../examples/answer-agent/__recordings__', import.meta.url))
const cli = fileURLToPath(new URL('../dist/cli.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'review-picture-'))
cpSync(example, join(folder, '__recordings__'), { recursive: true })
const git = (...words: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
    cwd: folder,
  })
git('init', '-q')
git('add', '-A')
git('commit', '-q', '-m', 'recorded')
for (const file of globSync('__recordings__/**/*.json', { cwd: folder })) {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const changed = text
    .replaceAll('in one sentence.', 'in two sentences.')
    .replaceAll('By day 430 °C, by night -180 °C.', 'By day 430 °C, by night it freezes.')
  writeFileSync(path, changed)
}

const line = `stty cols 118 rows 40; '${process.execPath}' '${cli}' review`
const terminal = spawn('script', ['-qefc', line, '/dev/null'], {
  cwd: folder,
  env: { ...process.env, TERM: 'xterm', CI: '', GITHUB_ACTIONS: '' },
})
let output = ''
terminal.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
while (output.split('q quit').length < 2) await setTimeout(20)
terminal.stdin.write('a')
while (output.split('q quit').length < 3) await setTimeout(20)
terminal.kill()
rmSync(folder, { recursive: true })

const lines = output.replaceAll('\r', '').split('\n')
const shown = ['$ npx vitest-cassette review', ...lines]
writeFileSync(new URL('../docs/review.svg', import.meta.url), drawTerminal(shown))
