import { fill } from './made-up.ts'

const UUID = '########-####-####-####-############'

/** What providers send and people write that is long, random or called like a credential, and is none. */
const SHAPES: Record<string, string> = {
  'an answer in SDP': 'a=ice-ufrag:[word 4]\r\na=ice-pwd:[word 24]\r\na=setup:active',
  'a scheme of OpenAPI':
    '"securitySchemes":{"apiKey":{"type":"apiKey","name":"X-API-Key","in":"header"}}',
  'id of a response': 'resp_[hex 48]',
  'id of an item': 'rs_[hex 48]',
  'id of a tool call': 'toolu_01[word 22]',
  'id of a function call': 'call_[word 24]',
  'id of a completion': 'chatcmpl-[word 29]',
  'id of a message': 'msg_01[word 22]',
  'id of a file': 'file-[word 24]',
  'id of a request': 'req_[hex 32]',
  'id of a generation': 'gen-1732212345-[word 20]',
  'id of Bedrock': 'tooluse_[urlsafe 22]',
  'id of an assistant': 'asst_[word 24]',
  'id of a document': 'ObjectId("[hex 24]")',
  'id of a customer': 'cus_[word 14]',
  fingerprint: 'fp_[hex 10]',
  'signature of a thought': '[base64 344]==',
  'encrypted reasoning': 'gAAAAAB[urlsafe 300]',
  'named signature': '"signature": "[base64 344]=="',
  image: 'data:image/png;base64,iVBORw0KGgo[base64 400]',
  uuid: UUID,
  'trace of a request': 'traceparent: 00-[hex 32]-[hex 16]-01',
  'commit hash': '[hex 40]',
  'content hash': 'sha256-[hex 64]',
  'digest of an image': 'acme/app@sha256:[hex 64]',
  'integrity of a package': '"integrity": "sha512-[base64 86]=="',
  'hash of a password': '$2b$12$[word 53]',
  etag: 'ETag: W/"[hex 32]"',
  'cache key': 'prompt_cache_key: support-agent-[hex 16]',
  'idempotency key': 'Idempotency-Key: ########-####-####-####-############',
  'page token': 'next_page_token=[urlsafe 40]',
  'nonce of a policy': `script-src 'nonce-[base64 22]=='`,
  'public key': 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[base64 43] app@acme',
  'public key in PEM':
    '-----BEGIN PUBLIC KEY-----\nMIIBIj[base64 58]\n[base64 64]\n-----END PUBLIC KEY-----',
  certificate:
    '-----BEGIN CERTIFICATE-----\nMIIDdz[base64 58]\n[base64 64]\n-----END CERTIFICATE-----',
  'published key': 'pk_live_[word 24]',
  'placeholder of a manual': 'OPENAI_API_KEY=sk-your-own-key-goes-here-00000000',
  'three dots': 'export OPENAI_API_KEY="sk-..."',
  'your key': 'api_key="YOUR_API_KEY"',
  'angle brackets': 'Authorization: Bearer <your-access-token>',
  'a variable of a shell': 'Authorization: Bearer $OPENAI_API_KEY',
  'a variable of a template': 'password: ${{ secrets.DB_PASSWORD }}',
  'a variable of a program': 'const token = process.env.GITHUB_TOKEN',
  'a call of a program': 'password = getpass.getpass("Password: ")',
  'crossed out': 'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'starred out': 'DB_PASSWORD=****************',
  'connection of a manual': 'postgres://user:password@localhost:5432/db',
  'connection of a template': 'redis://:${REDIS_PASSWORD}@cache.acme.io:6379',
  'id of AWS in manuals': 'AKIA|IOSFODNN7EXAMPLE',
  'secret of AWS in manuals': 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY|EXAMPLEKEY',
  'key in dots': '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg...\n-----END PRIVATE KEY-----',
  'password of a form': 'password: must be at least 12 characters, with 1 digit and 1 symbol',
  'name of a secret': 'secretName: acme-production-tls-certificate-2024',
  'limit of tokens': '"max_tokens": 12345678, "tokenizer": "cl100k_base", "token_type": "bearer"',
  'type of a field': 'interface Login { username: string; password: SecretString }',
  'path to a key': 'private_key=/etc/ssl/private/acme-production-2024.pem',
  'user of curl in a manual': 'curl -u username:password https://api.acme.io',
  'words between dashes': 'token: refresh-token-rotation-is-enabled-for-all-users',
  'cookie of a theme': 'Cookie: theme=dark; lang=en-US; consent=accepted',
  'basic in a manual': `Authorization: Basic ${Buffer.from('username:password').toString('base64')}`,
}

export const nearMisses: Record<string, string> = nearMissesOf('')

/** The same texts with other characters wherever they are made up. */
export function nearMissesOf(seed: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(SHAPES).map(([what, pattern]) => [what, fill(pattern, what + seed)]),
  )
}
