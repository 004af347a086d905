// Where the cassettes of `__recordings__` were recorded. They are compared whole, so the ports are fixed.

export const PORTS: [aimock: number, front: number] = [4021, 4020]

export const FRONT = `http://127.0.0.1:${PORTS[1]}`

export const SOCKETS = `ws://127.0.0.1:${PORTS[0]}`
