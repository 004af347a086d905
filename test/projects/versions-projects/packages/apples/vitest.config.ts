export default { test: { name: 'apples' } }
