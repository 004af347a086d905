import { VISITOR_HEADER } from '../address.ts'

/** A gateway is on this machine. A forged header must not send a key elsewhere. */
const GATEWAY = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/[\w-]+$/

const VISITOR_COOKIE = new RegExp(`(?:^|; *)${VISITOR_HEADER}=([^;]*)`)

/** Reads the header, or the cookie; `undefined` where neither names a gateway. */
export function readVisitor(header: (name: string) => unknown): string | undefined {
  const [given] = [header(VISITOR_HEADER) ?? []].flat()
  const [, cookie] = VISITOR_COOKIE.exec(String(header('cookie') ?? '')) ?? []
  return [given, cookie].find((value) => typeof value === 'string' && GATEWAY.test(value)) as
    | string
    | undefined
}
