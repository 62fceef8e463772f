/** Finds the fault of the address of an endpoint; undefined if there is none. It never repeats the address: that may hold a password. */
export function findUrlFault(url: string): string | undefined {
  if (!/^https?:\/\//i.test(url)) return 'expected an address that begins with http:// or https://';
  if (!URL.canParse(url)) return 'is not a valid address; check its host and its port';
  const { username, password } = new URL(url);
  if (username === '' && password === '') return undefined;
  return 'holds a user or a password, which requests do not use; remove it';
}
