import { describe, expect, test } from 'vitest'
import { VOLATILE_NAMES, type VolatileName } from '../../src/config/volatile-rule.ts'
import { compileRules } from '../../src/prompt/volatile-rules.ts'

/** For each rule: texts with what it finds in «», and texts in which it finds nothing. */
const CASES: Record<VolatileName, { finds: string[]; leaves: string[] }> = {
  uuid: {
    finds: [
      'id «3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f».',
      'pyd_ai_«3F2B8C1E-5D4A-4C6B-9E8F-0A1B2C3D4E5F»',
      '{\\"id\\":\\"«3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f»\\"}',
    ],
    leaves: ['3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5', '3f2b8c1e5d4a4c6b9e8f0a1b2c3d4e5f'],
  },
  ulid: {
    finds: ['run «01ARZ3NDEKTSV4RRFFQ69G5FAV» done'],
    leaves: [
      '01ARZ3NDEKTSV4RRFFQ69G5FA',
      'INTERNATIONALIZATIONISSUES',
      '12345678901234567890123456',
    ],
  },
  'hex-id': {
    finds: [
      'req_«4f1c9a7be210» ok',
      'sha «d41d8cd98f00b204e9800998ecf8427e»',
      '<Agent at «0x7f8a1c2b3d40»>',
      '00-«4bf92f3577b34da6a3ce929d0e0e4736»-«00f067aa0ba902b7»-01',
    ],
    leaves: ['4111111111111111', 'abcdefabcdef', '3f2b8c1e-5d4a-4c6b-9e8f-0a1b2c3d4e5f', '#ff00aa'],
  },
  'chat-id': {
    finds: ['chat_«1732212345678_k3j9x» and', 'session-«1732212345»', 'msg_«1732212345678»'],
    leaves: ['chat_17322', 'order_2025550123', '1732212345678'],
  },
  'prefixed-id': {
    finds: ['call_«a1B2c3D4e5F6g7H8»', 'thread_«68f0c2d5a7b8c9d0e1f2»'],
    leaves: ['look_up_order', 'call_weather', 'computer_use_preview', 'text_embedding_3_large'],
  },
  nanoid: {
    finds: [
      'run «V1StGXR8_Z5jdHi6B-myT» done',
      'run_«V1StGXR8_Z5jdHi6B-myT»',
      '{\\"id\\":\\"«-7qXk2mPz_9LrT4wYbNc0»\\"}',
    ],
    leaves: [
      'V1StGXR8_Z5jdHi6B-my',
      'V1StGXR8_Z5jdHi6B-myTa',
      'getUserAccountBalance',
      'Meta-Llama-3-Instruct',
      'text-embedding-3-more',
      'SEE_SECTION_4_OF_RULE',
      'order-2026-11-21-0042',
    ],
  },
  cuid2: {
    finds: ['id «tz4a98xxat96iws9zmbrgj3a»', 'user_«cjld2cjxh0000qzrmn831i7rn»'],
    leaves: [
      'tz4a98xxat96iws9zmbrgj3',
      'internationalizationtext',
      'internationalizationtex2',
      'Tz4a98xxat96iws9zmbrgj3a',
    ],
  },
  ksuid: {
    finds: ['event «0ujtsYcgvSTl8PAuAdqWYSMnLOv»', 'evt_«2srLbtYNsqIOyqtn7aQ0pQdmlPM»'],
    leaves: [
      '0ujtsYcgvSTl8PAuAdqWYSMnLO',
      '9ujtsYcgvSTl8PAuAdqWYSMnLOv',
      '123456789012345678901234567',
    ],
  },
  'iso-datetime': {
    finds: [
      'now «2026-11-21T18:47:58Z».',
      '<current_datetime>«2026-11-21T18:47:58.712+02:00»</current_datetime>',
      'started «2026-11-21 18:47:58», ended «2026-11-21 18:49»',
      'file «20261121T184758Z»',
    ],
    leaves: ['gpt-4o-2024-08-06', 'Today is 2026-11-21.', 'api-version=2024-10-21'],
  },
  'date-phrase': {
    finds: [
      "Today's date is «2026-11-21».",
      'Today is «November 21, 2026».',
      'It is «Saturday, November 21, 2026».',
      'On «Sat Nov 21 2026 18:47:58 GMT+0000 (Coordinated Universal Time)»',
      '«Sat, 21 Nov 2026 18:47:58 GMT»',
      'Date: «21 Nov 2026»',
      'the «21st of November 2026»',
      '«11/21/2026, 6:47:58 PM»',
      'am «21.11.2026»',
      'commit of «Sat Nov 21 18:47:58 2026 +0000»',
      '«2026-11-21 (Saturday)»',
      'Heute ist «2026/11/21»',
      'Heute ist «Samstag, der 21. November 2026»',
      'Ulm, den «3. März 2026»',
      'am «1. Mai 2026, 14:30»',
      'week «2026-W47», day «2026-W47-6»',
    ],
    leaves: [
      'gpt-4o-2024-08-06',
      'claude-3-5-sonnet-20241022',
      'anthropic-version: 2023-06-01',
      '"anthropic_version": "2023-06-01"',
      'https://x.example.com/openai?api-version=2024-10-21',
      'bedrock-2023-05-31',
      'Use API version 2024-10-21.',
      'Knowledge cutoff: October 2023',
      'open on Saturday',
      'Im November 2026',
      'der 21. Abschnitt von 2026',
      'model 2026-W54',
      'report-2026-W47.md',
      'report-2026-11-21.md',
      '/blog/2026/11/21/post',
      'May I ask 21 questions',
      'version 1.2.3',
    ],
  },
  'clock-time': {
    finds: ['It is «18:47».', 'at «6:47 PM»', 'now «18:47:58.123»'],
    leaves: ['localhost:8080', 'ratio 3:1', '10.0.0.1:80', '2026-11-21T18:47:58Z'],
  },
  epoch: {
    finds: [
      'ts=«1732212345»',
      '"at": «1732212345678»,',
      'time «1732212345.123»',
      '[42,«1732212345»,7.5,«1732212399»]',
      'row 3,«1732212345», 12',
    ],
    leaves: [
      '1,732,212,345',
      '0.1732212345',
      'call 2025550123',
      'n 17322',
      'chat_1732212345678',
      '1732212345678901',
      '-1732212345',
    ],
  },
  'tmp-path': {
    finds: [
      'in «/tmp/agent-x7Kd92»/src/main.go',
      '«/private/var/folders/ab/c1_d/T/agent-x7Kd92»/a',
      'file://«/tmp/agent-1»/a.',
      '{\\"path\\":\\"«/tmp/agent-1»\\"}',
      '«C:\\Users\\bob\\AppData\\Local\\Temp\\run-1»\\a.txt',
    ],
    leaves: ['/home/bob/tmp/x', 'https://x.example.com/tmp/x', '/tmp', '/src/tmp/a'],
  },
  'home-path': {
    finds: [
      'cwd «/home/alice»/project',
      '«/Users/bob»/Library',
      '«C:\\Users\\bob»\\project',
      '"«C:\\\\Users\\\\bob»\\\\project"',
      '«/root»/.config',
    ],
    leaves: ['https://x.example.com/home/alice', '/usr/home/alice', '/rooted'],
  },
  'localhost-port': {
    finds: ['http://localhost:«41234»/a', '127.0.0.1:«8080».', '[::1]:«3000»/'],
    leaves: ['example.com:8080', 'mylocalhost:80', 'localhost'],
  },
}

describe.for(VOLATILE_NAMES)('the rule %s', (name) => {
  const { find } = compileRules([name])
  const marked = (text: string): string =>
    find(text).reduceRight(
      (rest, { start, end }) =>
        `${rest.slice(0, start)}«${rest.slice(start, end)}»${rest.slice(end)}`,
      text,
    )

  test.for(CASES[name].finds)('finds what varies in %s', (text) => {
    expect(marked(text.replace(/[«»]/g, ''))).toBe(text)
  })

  test.for(CASES[name].leaves)('finds nothing in %s', (text) => {
    expect(marked(text)).toBe(text)
  })
})

test('where two rules find the same place, the longer wins', () => {
  const { find } = compileRules([...VOLATILE_NAMES])
  expect(find('at 2026-11-21T18:47:58Z').map(({ rule }) => rule)).toEqual(['iso-datetime'])
  expect(find('/home/bob/a').map(({ rule }) => rule)).toEqual(['home-path'])
  const path = 'C:\\Users\\bob\\AppData\\Local\\Temp\\x1\\a'
  expect(find(path).map(({ rule }) => rule)).toEqual(['tmp-path'])
})

test.for([
  'a',
  '0',
  '1',
  '-',
  '_',
  ' ',
  '/tmp/',
  'Saturday, ',
  '2026-',
  '12:',
  'a_',
  '\\\\',
  'a1',
  'a1-',
  'aA1',
  'C:\\Users\\',
])('a text of %j that is four times as long takes about four times as long', (piece) => {
  const rules = compileRules([...VOLATILE_NAMES])
  /** Milliseconds of the processor, which others cannot take up; the least of several tries. */
  const timeFor = (length: number): number => {
    const text = piece.repeat(length / piece.length)
    const tries = Array.from({ length: 3 }, () => {
      const started = process.cpuUsage()
      rules.find(text)
      return process.cpuUsage(started).user / 1_000
    })
    return Math.min(...tries)
  }
  // What takes less than these milliseconds cannot be told from chance.
  expect(timeFor(200_000)).toBeLessThan(8 * Math.max(10, timeFor(50_000)))
})
