import { HARMLESS, harmlessFor } from '../../../wire/harmless-token.ts'

/** Where clouds exchange a key for a token: hosts and paths, as regular expressions. */
const TOKEN_PLACES: ReadonlyArray<[host: RegExp, path: RegExp]> = [
  [/^oauth2(?:\.mtls)?\.googleapis\.com$/, /^\/token$/],
  [/^(?:www\.googleapis|accounts\.google)\.com$/, /^\/(?:o\/)?oauth2\/(?:v\d\/)?token$/],
  [/^sts(?:\..+)?\.googleapis\.com$/, /^\/v1\/(?:oauth)?token$/],
  [/^iamcredentials(?:\..+)?\.googleapis\.com$/, /:generate(?:Access|Id)Token$/],
  [/^(?:.+\.)?iam\.cloud\.ibm\.com$/, /^\/(?:identity|oidc)\/token$/],
  [/^.+\.(?:cloud\.databricks\.com|azuredatabricks\.net)$/, /^\/oidc\/(?:.+\/)?v1\/token$/],
  [/^.+\.authentication\..+\.hana\.ondemand\.com$/, /^\/oauth\/token$/],
  [/^oidc\..+\.amazonaws\.com$/, /^\/token$/],
]

const ENTRA =
  /^(?:[\w-]+\.)?login\.(?:microsoftonline\.com|microsoftonline\.us|partner\.microsoftonline\.cn|microsoft\.com|windows\.net|chinacloudapi\.cn)$|^sts\.windows\.net$/

/** The requests about a tenant that MSAL sends before it requests a token. */
const ENTRA_PATH =
  /\/oauth2\/(?:v2\.0\/)?token$|\/discovery\/instance$|\/\.well-known\/openid-configuration$/

/** Whether a request signs in to a cloud, for a token with which a model is asked. */
export function isSignIn({ hostname, pathname }: URL): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (ENTRA.test(host)) return ENTRA_PATH.test(pathname)
  return TOKEN_PLACES.some(([hosts, paths]) => hosts.test(host) && paths.test(pathname))
}

/** The answer to a sign-in: an invalid token, in the format of the cloud. */
export function answerSignIn(url: URL): Response {
  const { origin, hostname, pathname } = url
  if (pathname.endsWith('/discovery/instance')) return Response.json(instanceOf(hostname))
  if (pathname.endsWith('/openid-configuration'))
    return Response.json(configurationOf(origin, pathname.split('/')[1] ?? 'common'))
  if (pathname.endsWith(':generateAccessToken'))
    return Response.json({ accessToken: HARMLESS, expireTime: '2099-12-31T23:59:59Z' })
  if (pathname.endsWith(':generateIdToken'))
    return Response.json({ token: harmlessFor('id_token') })
  // AWS spells these fields in camel case.
  if (hostname.endsWith('.amazonaws.com'))
    return Response.json({ accessToken: HARMLESS, tokenType: 'Bearer', expiresIn: 3_599 })
  return Response.json({
    access_token: HARMLESS,
    token_type: 'Bearer',
    expires_in: 3_599,
    ext_expires_in: 3_599,
    expiration: 4_102_444_799,
    id_token: harmlessFor('id_token'),
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  })
}

function instanceOf(host: string): object {
  return {
    tenant_discovery_endpoint: `https://${host}/common/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: host, preferred_cache: host, aliases: [host] }],
  }
}

function configurationOf(origin: string, tenant: string): object {
  const oauth = `${origin}/${tenant}/oauth2/v2.0`
  return {
    issuer: `${origin}/${tenant}/v2.0`,
    authorization_endpoint: `${oauth}/authorize`,
    token_endpoint: `${oauth}/token`,
    device_authorization_endpoint: `${oauth}/devicecode`,
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
  }
}
