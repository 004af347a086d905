import { isCredentialParameter } from '../url.ts'

/** An address in the headers of an answer, as it is stored: absolute or relative as it was, without user and keys. */
export function keepLocation(location: string): string {
  const [, address = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(location) ?? []
  const kept = query
    .split('&')
    .filter((pair) => pair !== '' && !isCredentialParameter(nameOf(pair)))
  const open = address.replace(/^((?:\w+:)?\/\/)[^/]*@/, '$1')
  return `${open}${kept.length > 0 ? `?${kept.join('&')}` : ''}${fragment}`
}

function nameOf(pair: string): string {
  return [...new URLSearchParams(pair).keys()].join()
}
