import type { ChildProcess } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { redactorFor } from '../../../secrets/redactor.ts'
import { parseMcp, type McpMessage } from '../../../wire/mcp-messages.ts'
import { mcpAddress } from '../../../wire/address.ts'
import { noteFound } from '../../reports.ts'
import { ContextHere } from '../context/request-context.ts'
import { currentScope, runInScope } from '../../scope.ts'
import { callLater, nextTurn, timers } from '../../../real/clock.ts'
import { McpConversation } from './mcp-conversation.ts'
import { environmentOf, pipesOf, type Start } from './started-command.ts'

/**
 * Milliseconds. A client of MCP writes at once. A program that has written nothing by then waits for its child to
 * write.
 */
const FIRST_WORD_MS = 300

/** The first bytes of a message. */
const MAY_BE_MESSAGE = /^\s*[[{]/

/** No system gives a process such a number, so a signal to it reaches no process. */
const FIRST_PID = 2 ** 30 + 1

let count = 0

/**
 * Stands in for a process that is about to start, since only the first words of its client tell what it is. At a first
 * message of MCP, it becomes a server: it answers from the cassette, and starts the program only to record. At any
 * other input, or at none, it becomes the program.
 */
export class ServerProcess {
  readonly #child: ChildProcess & { stdio: unknown }
  readonly #start: (child: ChildProcess) => void
  readonly #name: string
  readonly #env: Record<string, string>
  readonly #conversation: McpConversation
  readonly #stdout: Readable = new Readable({ read() {} })
  readonly #stderr?: Readable
  readonly #said = new Lines()
  /** The input that came before the kind was clear. */
  #early: Buffer[] = []
  #kind: 'unknown' | 'server' | 'program' = 'unknown'
  #program?: ChildProcess
  #isOver = false
  readonly #stopWaiting: () => void

  /** @param name the name of the server in the option @param start starts the program as a child */
  constructor(
    child: ChildProcess,
    options: Start,
    name: string,
    start: (child: ChildProcess) => void,
  ) {
    this.#child = child
    this.#name = name
    this.#start = start
    this.#env = environmentOf(options)
    if (pipesOf(options)[2] === 'pipe') this.#stderr = new Readable({ read() {} })
    this.#conversation = new McpConversation({
      server: name,
      send: async (message) => {
        this.#run().stdin!.write(`${JSON.stringify(message)}\n`)
        return undefined
      },
      redactor: (session) => {
        const { params, config } = session
        const env = { ...process.env, ...this.#env }
        const url = new URL(mcpAddress(name))
        return params.around(redactorFor([], url, config.redact, env, session))
      },
    })
    const stdin = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#hearClient(chunk)
        done()
      },
      final: (done) => {
        this.#end()
        done()
      },
    })
    const [out, err] = [this.#stdout, this.#stderr ?? null]
    Object.assign(child, { stdin, stdout: out, stderr: err, stdio: [stdin, out, err] })
    Object.assign(child, { spawnfile: options.file, spawnargs: options.args, connected: false })
    const pid = FIRST_PID + 2 * count++
    Object.defineProperty(child, 'pid', {
      get: () => this.#program?.pid ?? pid,
      configurable: true,
    })
    child.kill = (signal = 'SIGTERM') => this.#kill(signal)
    this.#stopWaiting = callLater(FIRST_WORD_MS, () => void this.#run())
    timers.nextTick(() => child.emit('spawn'))
  }

  #hearClient(chunk: Buffer): void {
    if (this.#kind === 'program') return void this.#program!.stdin?.write(chunk)
    this.#early.push(chunk)
    const lines = this.#said.add(chunk)
    if (this.#kind === 'unknown') {
      const [first] = lines
      if (first === undefined && MAY_BE_MESSAGE.test(String(this.#early[0]))) return
      this.#become(first !== undefined && parseMcp(first) ? 'server' : 'program')
    }
    if (this.#kind !== 'server') return
    this.#early = []
    for (const line of lines) for (const message of parseMcp(line) ?? []) this.#answer(message)
  }

  #answer(message: McpMessage): void {
    void this.#conversation.receive(message, new ContextHere(currentScope(), 'certain'), (said) =>
      this.#writeToClient(said),
    )
  }

  #writeToClient(message: McpMessage): void {
    if (!this.#isOver) this.#stdout.push(`${JSON.stringify(message)}\n`)
  }

  /** Decides what this process is, and handles the input so far. */
  #become(kind: 'server' | 'program'): void {
    if (this.#kind !== 'unknown') return
    this.#stopWaiting()
    this.#kind = kind
    if (kind === 'server') return noteFound(this.#name)
    const { stdin } = this.#run()
    for (const chunk of this.#early.splice(0)) stdin?.write(chunk)
  }

  /** Starts the program, once. LLM calls of a server belong to its answer, and are not recorded. */
  #run(): ChildProcess {
    if (this.#program) return this.#program
    const program = Reflect.construct(this.#child.constructor, []) as ChildProcess
    this.#program = program
    try {
      if (this.#kind === 'server') runInScope('upstream', () => this.#start(program))
      else this.#start(program)
    } catch (error) {
      void nextTurn().then(() => program.emit('error', error))
    }
    this.#listen(program)
    return program
  }

  #listen(program: ChildProcess): void {
    const lines = new Lines()
    program.stdin?.on('error', (error) => void this.#child.stdin?.destroy(error))
    program.stdout?.on('data', (chunk: Buffer) => {
      if (this.#kind !== 'server') return void this.#stdout.push(chunk)
      for (const line of lines.add(chunk)) {
        const messages = parseMcp(line)
        if (messages) messages.forEach((message) => this.#conversation.hear(message))
        else this.#stdout.push(`${line}\n`)
      }
    })
    program.stderr?.on('data', (chunk: Buffer) => void this.#stderr?.push(chunk))
    program.on('error', (error) => {
      this.#conversation.breakOff(error)
      this.#child.emit('error', error)
    })
    program.on('exit', (code, signal) => {
      this.#conversation.breakOff(
        new Error(`The MCP server ${this.#name} ended (${signal ?? code})`),
      )
      this.#exit(code, signal)
    })
    program.on('close', () => this.#close())
  }

  /** Ends the input of the client. */
  #end(): void {
    this.#become('program')
    this.#conversation.giveUp()
    if (this.#program) this.#program.stdin?.end()
    else void nextTurn().then(() => this.#leave(0, null))
  }

  #kill(signal: NodeJS.Signals | number): boolean {
    const child = this.#child as { killed: boolean }
    if (this.#isOver) return false
    if (signal !== 0) {
      child.killed = true
      this.#conversation.giveUp()
    }
    if (this.#program) return this.#program.kill(signal)
    if (signal === 0) return true
    this.#stopWaiting()
    void nextTurn().then(() => this.#leave(null, signal as NodeJS.Signals))
    return true
  }

  #leave(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isOver) return
    this.#exit(code, signal)
    void nextTurn().then(() => this.#close())
  }

  #exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isOver) return
    Object.assign(this.#child, { exitCode: code, signalCode: signal })
    this.#child.emit('exit', code, signal)
  }

  #close(): void {
    if (this.#isOver) return
    this.#isOver = true
    const { exitCode, signalCode } = this.#child
    for (const stream of [this.#stdout, this.#stderr]) {
      stream?.push(null)
      // A stream ends only when it is read, and the program may not read this one.
      if (!stream?.readableFlowing) stream?.resume()
    }
    void nextTurn().then(() => this.#child.emit('close', exitCode, signalCode))
  }
}

/** Joins pieces of a stream to lines. */
class Lines {
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''

  /** Takes one more piece, and returns the lines that are complete now. */
  add(chunk: Buffer): string[] {
    const lines = (this.#rest + this.#decoder.write(chunk)).split(/\r?\n/)
    this.#rest = lines.pop()!
    return lines.filter((line) => line !== '')
  }
}
