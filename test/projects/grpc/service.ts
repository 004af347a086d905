import type { ServiceDefinition } from '@grpc/grpc-js'

const text = {
  requestSerialize: (value: string): Buffer => Buffer.from(value),
  requestDeserialize: (bytes: Buffer): string => bytes.toString(),
  responseSerialize: (value: string): Buffer => Buffer.from(value),
  responseDeserialize: (bytes: Buffer): string => bytes.toString(),
}

export const service: ServiceDefinition = {
  ask: { path: '/Model/Ask', requestStream: false, responseStream: false, ...text },
  stream: { path: '/Model/Stream', requestStream: false, responseStream: true, ...text },
}
