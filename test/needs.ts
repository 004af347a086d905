import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test, type TestOptions } from 'vitest'
import { CHROMIUM } from '../examples/screen-agent/test/chromium.ts'
import { remember } from '../src/remember.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** What a skipped test needs and this machine lacks, each with what brings it. */
    missing?: Record<string, string>
  }
}

/** Something that a machine may lack. */
interface Thing {
  isHere: () => boolean
  /** The command that brings it. */
  from: string
}

/** Real recordings and traces by other tools, which are no part of this repository. */
export const FOREIGN: string = at('../shared/foreign')

/** The corpus of real exchanges of which this repository has an excerpt. */
export const CORPUS: string =
  process.env.VITEST_CASSETTE_CORPUS ?? at('../shared/corpus/exchanges.jsonl.gz')

/** Agents that start native programs. */
export const AGENTS: string = process.env.AGENTS ?? at('clients/agents')

/** Bun, as `versions` installs it. */
export const BUN: string = at(
  `versions/node_modules/@oven/bun-${process.platform}-${process.arch}/bin/bun`,
)

/** A Python that has httpx: Debian installs it for its own. */
export function pythonWithHttpx(): string | undefined {
  return ['python3', '/usr/bin/python3'].find((python) => succeeds(python, '-c', 'import httpx'))
}

const THINGS = {
  chromium: { isHere: () => CHROMIUM !== undefined, from: 'apt-get install chromium' },
  python3: {
    isHere: () => succeeds('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 9))'),
    from: 'apt-get install python3',
  },
  pytest: {
    isHere: () => succeeds('python3', '-m', 'pytest', '--version'),
    from: 'pip install pytest',
  },
  requests: {
    isHere: () => succeeds('python3', '-c', 'import requests'),
    from: 'pip install requests',
  },
  httpx: {
    isHere: () => pythonWithHttpx() !== undefined,
    from: 'apt-get install python3-httpx',
  },
  curl: { isHere: () => succeeds('curl', '--version'), from: 'apt-get install curl' },
  openssl: { isHere: () => succeeds('openssl', 'version'), from: 'apt-get install openssl' },
  jq: { isHere: () => succeeds('jq', '--version'), from: 'apt-get install jq' },
  deno: { isHere: () => succeeds('deno', '--version'), from: 'npm install --global deno' },
  script: {
    // That of macOS takes other words.
    isHere: () => /util-linux/.test(String(spawnSync('script', ['--version']).stdout)),
    from: 'apt-get install bsdutils',
  },
  unix: { isHere: () => process.platform !== 'win32', from: 'run it on Linux or macOS' },
  linux: { isHere: () => process.platform === 'linux', from: 'run it on Linux' },
  'linux-x64': {
    isHere: () => process.platform === 'linux' && process.arch === 'x64',
    from: 'run it on Linux on x64',
  },
  'unprivileged-user': {
    isHere: () => inTemporaryFolder(isRefused),
    from: 'run it as a user other than root',
  },
  chattr: { isHere: () => inTemporaryFolder(isProtected), from: 'run it as root on ext4' },
  'ntfs-3g': { isHere: () => inTemporaryFolder(isMounted), from: 'apt-get install ntfs-3g' },
  namespaces: {
    isHere: () =>
      succeeds('unshare', '-rmn', 'sh', '-c', 'mount -t tmpfs none /tmp && ip link set lo up'),
    from: 'sysctl -w kernel.unprivileged_userns_clone=1',
  },
  'cut-network': {
    isHere: () =>
      Object.values(networkInterfaces())
        .flat()
        .every((one) => one!.internal),
    from: "unshare -rn sh -c 'ip link set lo up && npm test'",
  },
  clients: folder('clients', 'npm ci --ignore-scripts --prefix clients'),
  versions: folder('versions', 'npm ci --ignore-scripts --prefix versions'),
  bun: { isHere: () => existsSync(BUN), from: 'npm ci --ignore-scripts --prefix versions' },
  workerd: folder('workerd', 'npm ci --prefix workerd'),
  site: folder('site', 'npm ci --ignore-scripts --prefix site'),
  'help-desk': folder('examples/help-desk', 'npm ci --ignore-scripts --prefix examples/help-desk'),
  emitters: folder('emitters', 'npm ci --prefix emitters'),
  agents: {
    isHere: () => existsSync(join(AGENTS, 'node_modules/@openai/codex-sdk')),
    from: 'npm install --prefix clients/agents --no-package-lock',
  },
  shared: { isHere: () => existsSync(FOREIGN), from: 'put recordings into ../shared' },
  corpus: {
    isHere: () => existsSync(CORPUS),
    from: 'set VITEST_CASSETTE_CORPUS to its file',
  },
  OPENAI_API_KEY: { isHere: () => Boolean(process.env.OPENAI_API_KEY), from: 'set it to a key' },
  ANTHROPIC_API_KEY: {
    isHere: () => Boolean(process.env.ANTHROPIC_API_KEY),
    from: 'set it to a key',
  },
} satisfies Record<string, Thing>

export type Need = keyof typeof THINGS

const required = (process.env.REQUIRE ?? '').split(',').filter((name) => name !== '')
const unknown = required.find((name) => name !== 'all' && !(name in THINGS))
if (unknown !== undefined)
  throw new Error(`REQUIRE names ${unknown}. What tests need is ${Object.keys(THINGS).join(', ')}.`)

/** Whether this machine has a thing, for a test that does more with it and goes on without. */
export const isHere: (name: Need) => boolean = remember((name) => THINGS[name].isHere())

/**
 * Options of a test, or of a `describe`, that runs only on a machine with these things. Elsewhere it is skipped, and the
 * run ends with a line that says so. A thing that the variable REQUIRE names fails the file instead: `REQUIRE=all`, or a
 * list such as `REQUIRE=chromium,versions`.
 */
export function needs(...names: Need[]): Pick<TestOptions, 'skip' | 'meta'> {
  const missing = names.filter((name) => !isHere(name))
  const lacking = missing.find((name) => required.includes(name) || required.includes('all'))
  if (lacking !== undefined) {
    const { from } = THINGS[lacking]
    const error = new Error(`REQUIRE names ${lacking}, which this machine lacks: ${from}`)
    // The code that the report shows is then that of the test.
    Error.captureStackTrace(error, needs)
    throw error
  }
  if (missing.length === 0) return {}
  return {
    skip: true,
    meta: { missing: Object.fromEntries(missing.map((name) => [name, THINGS[name].from])) },
  }
}

/**
 * Takes the right to write from a folder until the end of a block, since nobody but root could delete it otherwise. It
 * stops only who is an `unprivileged-user`.
 */
export function readOnly(folder: string): Disposable {
  chmodSync(folder, 0o500)
  return { [Symbol.dispose]: () => chmodSync(folder, 0o700) }
}

type Run = () => void | Promise<void>

/** `test` where there is something to test. Elsewhere there is no test, rather than one that is skipped. */
export function testIf(
  applies: unknown,
): (name: string, ...rest: [TestOptions, Run] | [Run]) => void {
  return applies ? (test as ReturnType<typeof testIf>) : () => {}
}

function at(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

/** A folder of this repository with an installation of its own. npm writes this file at the end of one. */
function folder(path: string, from: string): Thing {
  return { isHere: () => existsSync(at(`${path}/node_modules/.package-lock.json`)), from }
}

function succeeds(program: string, ...words: string[]): boolean {
  return spawnSync(program, words, { stdio: 'ignore' }).status === 0
}

function inTemporaryFolder(probe: (folder: string) => boolean): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'needs-'))
  try {
    return probe(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Whether this user cannot write to a folder without that right. */
function isRefused(folder: string): boolean {
  using _ = readOnly(folder)
  try {
    writeFileSync(join(folder, 'probe'), '')
    return false
  } catch {
    return true
  }
}

/** Whether this user can keep everybody from replacing a file. */
function isProtected(folder: string): boolean {
  const file = join(folder, 'probe')
  writeFileSync(file, '')
  return succeeds('chattr', '+i', file) && succeeds('chattr', '-i', file)
}

/** Whether this user can mount a file system with the names of Windows. */
function isMounted(folder: string): boolean {
  const disk = join(folder, 'disk')
  const place = join(folder, 'place')
  mkdirSync(place)
  return (
    succeeds('truncate', '-s', '16M', disk) &&
    succeeds('mkntfs', '-F', '-Q', '-q', disk) &&
    succeeds('lowntfs-3g', disk, place) &&
    succeeds('umount', place)
  )
}
