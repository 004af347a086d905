export default { test: { name: 'pears' } }
