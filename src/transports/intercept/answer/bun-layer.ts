// What Bun needs in the place of the entrances of Node.
export { leadNative } from '../bun/native-clients.ts'
export { standIns } from '../bun/web-sockets.ts'
export { followFileScope, openBun } from '../bun/open-bun.ts'
