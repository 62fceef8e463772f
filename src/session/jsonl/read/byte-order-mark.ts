const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Returns how many bytes a byte order mark takes at the start of these bytes: 3, or 0 without one. */
export function getBomLength(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}
