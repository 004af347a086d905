// A model that speaks gRPC. Prints its port.
import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import { service } from './service.ts'

const server = new Server()
server.addService(service, {
  ask({ request }: any, done: any) {
    if (request === 'fail') return done({ code: status.NOT_FOUND, details: 'no such model' })
    done(null, `answer to ${request}`)
  },
  stream(call: any) {
    for (const word of call.request.split(' ')) call.write(word)
    call.end()
  },
})
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, port) =>
  console.log(port),
)
