import { describe, expect, test } from 'vitest'
import { Veil } from '../../src/secrets/veil.ts'

const KEY = `sk-ant-${'api03'}-Zq81mVx0Yt3LwPk7Rb5NcD2eHj6GsA4uFi9XoBzQ1mVx0Yt3LwPk7Rb5NcD2eHj6GsA4uFi9XoBzQ1mVx0Yt3LwPAA`
const OTHER = KEY.replace('Zq81', 'Ab47')
const PEM = [
  `-----BEGIN ${'PRIVATE'} KEY-----`,
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj',
  'MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu',
  'kL3vPq81mVx0Yt3LwPk7Rb5',
  `-----END ${'PRIVATE'} KEY-----`,
].join('\n')

function piecesLeft(text: string, secret: string, size = 12): string[] {
  const rows = Array.from({ length: secret.length - size + 1 }, (_, at) =>
    secret.slice(at, at + size),
  )
  return rows.filter((row) => !/[- \n]/.test(row) && text.includes(row))
}

describe('a veil', () => {
  test('hides a key, and leaves all around it', () => {
    expect(new Veil({}).hide(`Use ${KEY} please, Anna`)).toBe(
      'Use <REDACTED:anthropic> please, Anna',
    )
  })

  test('leaves a value without secrets as it is', () => {
    const value = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] }
    expect(new Veil({}).hide(value)).toBe(value)
  })

  test('shows that a key changed, and that another did not', () => {
    expect(new Veil({}).hide([KEY, OTHER, KEY])).toEqual([
      '<REDACTED:anthropic>',
      '<REDACTED:anthropic 2>',
      '<REDACTED:anthropic>',
    ])
  })

  test('hides a piece of a key that no rule recognises', () => {
    const shown = new Veil({}).hide([`Use ${KEY}`, `Use ${KEY.slice(0, 40)} and go`, KEY.slice(30)])
    expect(piecesLeft(JSON.stringify(shown), KEY)).toEqual([])
    expect(shown[1]).toMatch(/^Use <REDACTED:anthropic 2> and go$/)
  })

  test('hides what only a name shows to be a credential, at its other places too', () => {
    const shown = new Veil({}).hide({
      arguments: { password: 'vK4#mZx81qLw' },
      said: 'It is vK4#mZx81qLw.',
    })
    expect(JSON.stringify(shown)).not.toContain('vK4#mZx8')
    expect(shown.said).toMatch(/^It is <REDACTED:\w+>\.$/)
  })

  test('hides a private key of many lines, however it is spelled', () => {
    const shown = new Veil({}).hide([
      PEM,
      JSON.stringify({ key: PEM }),
      PEM.replaceAll('\n', '\n    '),
    ])
    expect(piecesLeft(shown.join('\n'), PEM, 8)).toEqual([])
  })

  test('hides base64, lists of bytes, and a key that is split over parts', () => {
    const shown = new Veil({}).hide({
      base64: `See ${Buffer.from(`the key ${KEY} is here`).toString('base64')} here`,
      bytes: [...Buffer.from(KEY)],
      typed: { ...Uint8Array.from(Buffer.from(KEY)) },
      content: [{ text: `Use ${KEY.slice(0, 50)}` }, { text: `${KEY.slice(50)} now` }],
    })
    expect(shown.base64).toBe('See <REDACTED:anthropic> here')
    expect(shown.bytes).toMatch(/^<REDACTED:/)
    expect(shown.typed).toMatch(/^<REDACTED:/)
    expect(piecesLeft(JSON.stringify(shown), KEY)).toEqual([])
  })

  test('hides what the environment knows, and pieces of it', () => {
    const env = { ACME_API_KEY: 'zK4qLm8vT1yRw0Xc6PbN3dJ5' }
    const shown = new Veil(env).hide([`The key is ${env.ACME_API_KEY}`, 'cut: zK4qLm8vT1yRw0X…'])
    expect(shown).toEqual(['The key is <REDACTED:ACME_API_KEY>', 'cut: <REDACTED:ACME_API_KEY 2>…'])
  })
})
