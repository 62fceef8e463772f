/** Finds the fault of the address of an endpoint; undefined if there is none. It never repeats the address: that may hold a password. */
export function findUrlFault(url: string): string | undefined {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return 'expected an address that begins with http:// or https://';
  }
  const { username, password } = new URL(url);
  if (username === '' && password === '') return undefined;
  return 'holds a user or a password, which requests do not use; remove it';
}
