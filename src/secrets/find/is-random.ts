/** Pairs of letters that make up words; of random pairs, a quarter is among them. */
const PAIRS = new Set(
  (
    'th he in er an re nd on en at ou ed ha to or it is hi es ng st ar se as al te nt le ve of ti me ea ro ri ic ne ' +
    'li ra io ma ll co de ta be el ce si om ch la us ur ec et ge un di ss ad ac em no so il fo ns po ca ee tr id ai ' +
    'am ot we ow pe mo sh lo wi ut ul ni sa ho ol im ir ts ke ck ey ab ap pr su ex up ly ay do go by my pa wo rd rs ' +
    'rt ct iv ev pl bl cl cr gr br tt pp oo ag ig og ue ui um mp nc nk ks ds ls sp sc ty ry ga fa fe fi fr va vi vo ' +
    'ip op ob od ie ok ys xt da na bo bu cu du mu nu pu ru tu hu os ub ak ka pi mi ki if ff ft ef af cs db qu gh ht ' +
    'sy yn iz ze kn ps ep xi lf mm nn lt dn gs ew aw av ys gi ju fu ya yo rm rn ng nf nv nl rk wn ix cy gn au tc'
  ).split(' '),
)

/** A word of a compound, as programs write them too: `camelCase`, `HTTPServer2`. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g

/** The same character three times, or more. */
const REPEATED = /([^])\1{2,}/g

/** Some names have odd characters too, but fewer than this. */
const MIN_ODD = 4

/**
 * True for a random text, and false for a text that people write: words, names, dates, paths, rows of the same
 * character, the alphabet. It measures how much of the text is no part of a word, and tests for no certain character,
 * so that the result does not depend on which characters chance has chosen.
 */
export function isRandom(text: string): boolean {
  const plain = withoutRows(text)
  const letters = plain.replaceAll(/[^A-Za-z]/g, '').length
  const characters = charactersIn(plain)
  const odd = oddIn(plain)
  return letters >= 3 && odd >= MIN_ODD && odd >= characters * 0.3
}

/**
 * True for a placeholder of a credential in documentation: rows of a character, the alphabet, words. Any other text
 * with the prefix of an issuer is a credential, whatever rows or words it contains by chance.
 */
export function isFiller(text: string): boolean {
  const plain = withoutRows(text)
  return (
    charactersIn(plain) < charactersIn(text) / 2 || (/[a-z]/i.test(plain) && oddIn(plain) === 0)
  )
}

/** The number of characters of a text that are no part of a word or a number. */
export function oddIn(text: string): number {
  const inside = text.replaceAll(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  const symbols = inside.match(/[!-+<-@[-^`{-~]/g)?.length ?? 0
  return inside
    .split(/[^A-Za-z0-9]+/)
    .reduce((odd, segment) => odd + oddInSegment(segment), symbols)
}

export function oddInSegment(segment: string): number {
  const pieces = segment.match(PIECE) ?? []
  if (pieces.length === 1 && (segment.length < 3 || /\d/.test(segment))) return 0
  return pieces.reduce((odd, piece) => {
    if (/\d/.test(piece)) return odd + Math.min(2, piece.length)
    return odd + (isWord(piece.toLowerCase()) ? 0 : piece.length)
  }, 0)
}

function isWord(piece: string): boolean {
  let known = 0
  for (let at = 1; at < piece.length; at++) if (PAIRS.has(piece.slice(at - 1, at + 1))) known++
  return piece.length > 1 && known >= (piece.length - 1) * 0.6
}

function charactersIn(text: string): number {
  return text.replaceAll(/[^A-Za-z0-9]/g, '').length
}

/** Takes out rows of one character, and rows that count up: `abcdef`, `123456`. */
export function withoutRows(repeating: string): string {
  const text = repeating.replaceAll(REPEATED, ' ')
  let kept = ''
  for (let at = 0; at < text.length;) {
    let end = at + 1
    while (end < text.length && text.charCodeAt(end) === text.charCodeAt(end - 1) + 1) end++
    if (end - at >= 3) kept += ' '
    else kept += text.slice(at, end)
    at = end
  }
  return kept
}
