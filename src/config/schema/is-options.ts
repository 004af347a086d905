// Written by `npm run build` from a schema: see tooling/compiled-schemas.ts. Change that one.
/* oxlint-disable */

import { hasOnly, isListOf, isObject, isRecord } from '../../json/checks.ts'
import { isVolatileRule } from '../check-volatile.ts'
import { isFault } from '../fault.ts'
import { areSpeakers, isDays, isParamsStrategy, isRedactRule, isRegion, isThreshold, isWhyInvalid } from '../options.ts'

const isDir = (value: any): boolean => typeof value === 'string' && value.length >= 1

const isHosts = (value: any): boolean => isListOf(value, (item) => isDir(item))

const isMcp = (value: any): boolean => typeof value === 'string' && /[\p{L}\p{N}]/u.test(value)

const isMcp2 = (value: any): boolean => isListOf(value, (item) => isMcp(item))

const isReport = (value: any): boolean => typeof value === 'boolean' || isDir(value)

const isMaxCassetteBytes = (value: any): boolean => Number.isSafeInteger(value) && value > 0

const isVolatile = (value: any): boolean => isListOf(value, (item) => isVolatileRule(item))

const isRedact = (value: any): boolean => isListOf(value, (item) => isRedactRule(item))

const isFaults = (value: any): boolean => isListOf(value, (item) => isFault(item))

const isPaceB = (value: any): boolean => Number.isFinite(value) && value > 0

const isPace = (value: any): boolean => ['instant', 'recorded'].includes(value) || isPaceB(value)

const isImages = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['match', 'threshold', 'region']) &&
  ['exact', 'phash', 'ahash', 'ignore'].includes(value.match) &&
  (value.threshold === undefined || isThreshold(value.threshold)) &&
  (value.region === undefined || isRegion(value.region))

const isInput = (value: any): boolean => Number.isFinite(value) && value >= 0

const isPricesValue = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['input', 'output', 'cacheRead', 'cacheWrite']) &&
  isInput(value.input) &&
  isInput(value.output) &&
  (value.cacheRead === undefined || isInput(value.cacheRead)) &&
  (value.cacheWrite === undefined || isInput(value.cacheWrite))

const isPrices = (value: any): boolean =>
  isRecord(value) &&
  Object.entries<any>(value).every(([key, item]) => isDir(key) && isPricesValue(item))

const isMaxFailures = (value: any): boolean => Number.isSafeInteger(value) && value >= 0

const isOptions = (value: any): boolean =>
  isObject(value) &&
  hasOnly(value, ['mode', 'dir', 'hosts', 'allowHosts', 'mcp', 'keys', 'unused', 'orphans', 'report', 'recordErrors', 'maxCassetteBytes', 'volatile', 'redact', 'repeats', 'unordered', 'faults', 'pace', 'images', 'prices', 'params', 'speakers', 'maxAge', 'maxFailures', 'retiredModels', 'whyInvalid', 'invalid']) &&
  (value.mode === undefined || ['replay', 'new', 'all', 'prompts', 'off', 'read', 'write', 'both', 'no'].includes(value.mode)) &&
  (value.dir === undefined || isDir(value.dir)) &&
  (value.hosts === undefined || isHosts(value.hosts)) &&
  (value.allowHosts === undefined || isHosts(value.allowHosts)) &&
  (value.mcp === undefined || isMcp2(value.mcp)) &&
  (value.keys === undefined || typeof value.keys === 'boolean') &&
  (value.unused === undefined || ['fail', 'warn'].includes(value.unused)) &&
  (value.orphans === undefined || ['fail', 'warn'].includes(value.orphans)) &&
  (value.report === undefined || isReport(value.report)) &&
  (value.recordErrors === undefined || typeof value.recordErrors === 'boolean') &&
  (value.maxCassetteBytes === undefined || isMaxCassetteBytes(value.maxCassetteBytes)) &&
  (value.volatile === undefined || isVolatile(value.volatile)) &&
  (value.redact === undefined || isRedact(value.redact)) &&
  (value.repeats === undefined || ['strict', 'last', 'cycle'].includes(value.repeats)) &&
  (value.unordered === undefined || typeof value.unordered === 'boolean') &&
  (value.faults === undefined || isFaults(value.faults)) &&
  (value.pace === undefined || isPace(value.pace)) &&
  (value.images === undefined || isImages(value.images)) &&
  (value.prices === undefined || isPrices(value.prices)) &&
  (value.params === undefined || isParamsStrategy(value.params)) &&
  (value.speakers === undefined || areSpeakers(value.speakers)) &&
  (value.maxAge === undefined || isDays(value.maxAge)) &&
  (value.maxFailures === undefined || isMaxFailures(value.maxFailures)) &&
  (value.retiredModels === undefined || isHosts(value.retiredModels)) &&
  (value.whyInvalid === undefined || isWhyInvalid(value.whyInvalid)) &&
  (value.invalid === undefined || ['fail', 'warn'].includes(value.invalid))

export { isOptions }
