import { expect, test } from 'vitest'
import { redactorFor } from '../../../src/secrets/redactor.ts'
import { scanText } from '../../../src/secrets/find/scan-text.ts'
import { readText, textOf } from '../../../src/wire/body.ts'
import { fill } from '../../reliability/made-up.ts'

const SAS = (times: string): string =>
  fill(
    `https://oaidalle.blob.core.windows.net/private/org-x/img-1.png?${times}&sp=r&sv=2024-08-04&sr=b&rscd=inline&rsct=image/png&skoid=########-####-####-####-############&sks=b&skv=2024-08-04&sig=[base64 43]%3D`,
    'sas',
  )

/** Addresses as providers answer with them, and what opens them. */
const ADDRESSES: Array<[of: string, address: string]> = [
  ['Azure', SAS('st=2026-01-02T03%3A04%3A05Z&se=2026-01-02T05%3A04%3A05Z')],
  ['Azure, in another order', SAS('se=2026-01-02T05%3A04%3A05Z')],
  [
    'Amazon',
    fill(
      'https://b.s3.eu-west-1.amazonaws.com/a.png?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA[upper 16]%2F20260102%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20260102T030405Z&X-Amz-Expires=3600&X-Amz-Security-Token=IQoJb3JpZ2lu[word 200]&X-Amz-SignedHeaders=host&X-Amz-Signature=[hex 64]'.replace(
        'AKIA[upper 16]',
        'AKIA[base32 16]',
      ),
      'amazon',
    ),
  ],
  [
    'Google',
    fill(
      'https://storage.googleapis.com/b/a.png?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a%40b.iam.gserviceaccount.com%2F20260102%2Fauto%2Fstorage%2Fgoog4_request&X-Goog-Date=20260102T030405Z&X-Goog-Expires=900&X-Goog-SignedHeaders=host&X-Goog-Signature=[hex 512]',
      'google',
    ),
  ],
  [
    'CloudFront',
    fill(
      'https://d111.cloudfront.net/a.png?Expires=1767323045&Signature=[word 200]~[word 100]__&Key-Pair-Id=K[upper 13]',
      'cloudfront',
    ),
  ],
  [
    'Alibaba',
    fill(
      'https://dashscope-result-bj.oss-cn-beijing.aliyuncs.com/1d/a.png?Expires=1767323045&OSSAccessKeyId=LT|AI5t[word 18]&Signature=[base64 26]%3D',
      'oss',
    ),
  ],
  [
    'Alibaba, version 4',
    fill(
      'https://b.oss-cn-beijing.aliyuncs.com/a.png?x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-credential=LT|AI5t[word 18]%2F20260102%2Fcn-beijing%2Foss%2Faliyun_v4_request&x-oss-date=20260102T030405Z&x-oss-expires=3600&x-oss-signature=[hex 64]',
      'oss4',
    ),
  ],
  [
    'Volcengine',
    fill(
      'https://ark.tos-cn-beijing.volces.com/a.png?X-Tos-Algorithm=TOS4-HMAC-SHA256&X-Tos-Credential=AK|LT[word 43]%2F20260102%2Fcn-beijing%2Ftos%2Frequest&X-Tos-Date=20260102T030405Z&X-Tos-Expires=86400&X-Tos-Signature=[hex 64]&X-Tos-SignedHeaders=host',
      'tos',
    ),
  ],
  [
    'Tencent',
    fill(
      'https://a.cos.ap-guangzhou.myqcloud.com/a.png?q-sign-algorithm=sha1&q-ak=AK|ID[word 32]&q-sign-time=1767323045;1767326645&q-key-time=1767323045;1767326645&q-header-list=host&q-signature=[hex 40]',
      'cos',
    ),
  ],
  [
    'S3 of old',
    fill(
      'https://b.s3.amazonaws.com/a.png?AWSAccessKeyId=AKIA[base32 16]&Expires=1767323045&Signature=[base64 26]%3D',
      's3',
    ),
  ],
]

function redacted(text: string, sender: 'request' | 'response'): string {
  const url = 'https://api.openai.com/v1/images/generations'
  const redactor = redactorFor([], new URL(url), [], {})
  const body = readText(JSON.stringify({ data: [{ text }] }))
  const kept =
    sender === 'request'
      ? redactor.request({ method: 'POST', url, body })
      : redactor.response({ status: 200, headers: {}, body })
  return (JSON.parse(textOf(kept.body)) as { data: [{ text: string }] }).data[0].text
}

test.for(ADDRESSES)(
  'a signature of %s that a provider sends is replaced, not refused',
  ([, address]) => {
    for (const text of [address, `![a picture](${address})`, address.replaceAll('&', '&amp;')]) {
      const kept = redacted(text, 'response')
      expect(scanText(kept)).toEqual([])
      expect(kept).toMatch(/ignature=REDACTED|sig=REDACTED/)
      // A client sends it back as it was recorded, or as it was replayed.
      expect(redacted(text, 'request')).toBe(kept)
      expect(redacted(kept, 'request')).toBe(kept)
    }
    const replayed = new URL(redacted(address, 'response'))
    const sent = new URL(address)
    expect(replayed.origin + replayed.pathname).toBe(sent.origin + sent.pathname)
    expect([...replayed.searchParams.keys()]).toEqual([...sent.searchParams.keys()])
    const other = address.replace('.png?', '-2.png?')
    expect(redacted(other, 'request')).not.toBe(redacted(address, 'request'))
  },
)

test.for([
  ['HS256', 43],
  ['RS256', 342],
  ['RS512 with 4096 bits', 683],
] as const)(
  'the signature of a token does not count, to its last character: %s',
  ([alg, length]) => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const tokens = ['one', 'two'].map((seed) =>
      fill(`${part({ alg })}.${part({ sub: 'ann' })}.[urlsafe ${length}]`, seed),
    )
    expect(tokens[0]).not.toBe(tokens[1])
    const [kept, other] = tokens.map((token) => redacted(`Bearer ${token}, and so on`, 'request'))
    expect(kept).toBe(other)
    expect(kept).not.toContain(tokens[0]!.slice(-12))
  },
)

test("a signature that is good for years is somebody's credential", () => {
  const address = SAS('st=2026-01-02T03%3A04%3A05Z&se=2031-01-02T03%3A04%3A05Z')
  expect(redacted(address, 'request')).toBe(address)
  expect(scanText(address)).toMatchObject([{ rule: 'shared-access-signature' }])
})
