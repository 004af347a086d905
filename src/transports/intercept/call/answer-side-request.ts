import { web } from '../../../real/web.ts'
import { HARMLESS, harmlessFor } from '../../../secrets/harmless-token.ts'
import type { SideRequest } from './side-request.ts'

/** LangChain tries this host again for a minute after any error, and counts roughly at once without a list. */
const TRIED_AGAIN = 'tiktoken.pages.dev'

/**
 * The answer to a side request in replay, which sends none: a receipt, an invalid token, no content, or the error of a
 * machine offline. Offline, other libraries look into their cache.
 */
export function answerSideRequest(kind: SideRequest, url: URL): Response {
  if (kind === 'sign-in') return answerSignIn(url)
  // No program tries again after this.
  if (kind === 'program') return web.Response.json({}, { status: 404 })
  if (kind === 'upload') return web.Response.json({}, { status: 200 })
  return url.hostname === TRIED_AGAIN
    ? new web.Response(null, { status: 204 })
    : web.Response.error()
}

/** The answer to a sign-in: an invalid token, in the format of the cloud. */
function answerSignIn(url: URL): Response {
  const { origin, hostname, pathname } = url
  if (pathname.endsWith('/discovery/instance')) return web.Response.json(instanceOf(hostname))
  if (pathname.endsWith('/openid-configuration'))
    return web.Response.json(configurationOf(origin, pathname.split('/')[1] ?? 'common'))
  if (pathname.endsWith(':generateAccessToken'))
    return web.Response.json({ accessToken: HARMLESS, expireTime: '2099-12-31T23:59:59Z' })
  if (pathname.endsWith(':generateIdToken'))
    return web.Response.json({ token: harmlessFor('id_token') })
  // AWS spells these fields in camel case.
  if (hostname.endsWith('.amazonaws.com'))
    return web.Response.json({ accessToken: HARMLESS, tokenType: 'Bearer', expiresIn: 3_599 })
  return web.Response.json({
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
