/** Addresses that can be those of this machine, as texts: loopback, private networks, names without a dot. */
const NEAR =
  /^\w+:\/+(?:[^/?#@]*@)?(?:\[[^\]]*\]|(?:127|10|192\.168|172|169\.254)\.[\d.]+|0\.0\.0\.0|[\w-]+|[^/?#:]+\.(?:localhost|local|lan|internal))\.?(?::\d+)?(?:[/?#]|$)/i

/** Whether a server of this machine, or of its network, can answer at an address. */
export function isNear(address: string): boolean {
  return NEAR.test(address)
}
