import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  isKeyName,
  STAND_IN_KEY,
  standInKey,
  standInKeys,
  withoutEmptyKeys,
} from '../../src/providers/stand-in-keys.ts'

/** What clients read that start without a key, by who they are of. */
const READ: Record<string, string[]> = {
  Alibaba: ['ALIBABA_API_KEY'],
  DashScope: ['DASHSCOPE_API_KEY'],
  Amazon: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_BEARER_TOKEN_BEDROCK'],
  AssemblyAI: ['ASSEMBLYAI_API_KEY'],
  Azure: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'],
  'Black Forest Labs': ['BFL_API_KEY'],
  BytePlus: ['ARK_API_KEY'],
  Deepgram: ['DEEPGRAM_API_KEY'],
  ElevenLabs: ['ELEVENLABS_API_KEY'],
  fal: ['FAL_KEY', 'FAL_API_KEY'],
  Gladia: ['GLADIA_API_KEY'],
  'Hugging Face': ['HF_TOKEN', 'HUGGINGFACE_API_KEY', 'HUGGINGFACEHUB_API_KEY'],
  Hume: ['HUME_API_KEY'],
  Kling: ['KLINGAI_ACCESS_KEY', 'KLINGAI_SECRET_KEY'],
  LMNT: ['LMNT_API_KEY'],
  Luma: ['LUMA_API_KEY', 'LUMAAI_API_KEY'],
  OpenAI: ['OPENAI_API_KEY'],
  Prodia: ['PRODIA_TOKEN'],
  'Rev.ai': ['REVAI_API_KEY'],
  Stability: ['STABILITY_API_KEY'],
}

// Whoever runs these tests may have an account with Amazon.
beforeEach(() => void vi.stubEnv('HOME', '/nonexistent'))
afterEach(() => void vi.unstubAllEnvs())

describe.each(Object.entries(READ))('%s', (_, names) => {
  test.each(names)('lends %s where none of its account is set', (name) => {
    expect(isKeyName(name)).toBe(true)
    expect(standInKey(name, {}, () => true)).toBe(STAND_IN_KEY)
    for (const other of names)
      expect(standInKey(name, { [other]: 'x' }, () => true)).toBeUndefined()
  })
})

test('what others take from the environment too is lent only to tests with a recording', () => {
  expect(standInKey('AWS_BEARER_TOKEN_BEDROCK', {}, () => false)).toBeUndefined()
  expect(standInKey('AWS_BEARER_TOKEN_BEDROCK', { AWS_PROFILE: 'a' }, () => true)).toBeUndefined()
  expect(standInKey('ELEVENLABS_API_KEY', {}, () => false)).toBe(STAND_IN_KEY)
})

test('what another program gets is lent in the place of empty keys, and of nothing else that is empty', () => {
  const env = { OPENAI_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '', GROQ_API_KEY: 'gsk-mine', NAME: '' }
  const { OPENAI_API_KEY: _, ...rest } = env
  expect(withoutEmptyKeys(env)).toEqual(rest)
  const lent = standInKeys(withoutEmptyKeys(env))
  expect(lent).toMatchObject({ OPENAI_API_KEY: STAND_IN_KEY, ANTHROPIC_API_KEY: STAND_IN_KEY })
  expect(lent).not.toHaveProperty('GROQ_API_KEY')
  // A test can take a key away from a program that it starts.
  expect(standInKeys(env)).not.toHaveProperty('OPENAI_API_KEY')
})
