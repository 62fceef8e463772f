// The names that pi 1.6.0 imports of pi-schema. It makes schemas of them when it is loaded; nothing
// that reads, writes or compacts a session checks anything by them.
const schema = () => ({});
export { schema as arr, schema as bool, schema as compile, schema as int, schema as nul };
export { schema as num, schema as obj, schema as oneOf, schema as opt, schema as str };
export { schema as union };
export const formats = {};
