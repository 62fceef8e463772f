/** A line as it was before entries had ids. */
export function toVersion1(line: object): object {
  const { version: _version, parentId: _parent, ...rest } = line as Record<string, unknown>;
  if (rest['type'] === 'session') return rest;
  const { id: _id, ...entry } = rest;
  return entry;
}
