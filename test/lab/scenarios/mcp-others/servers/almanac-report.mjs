// No server: a program that reads what it is given, and says how much that was.
let length = 0
for await (const chunk of process.stdin) length += chunk.length
process.stdout.write(`${length} bytes of almanac`)
