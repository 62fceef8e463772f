import { sep } from 'node:path';
import { toRelativePath } from '../text/paths.ts';

const DRIVE = /^[A-Za-z]:$/;

/** Shows a path with forward slashes: relative below `cwd`, as a checkout knows it, and absolute elsewhere. */
export function toShownPath(path: string, cwd: string): string {
  return toRelativePath(path, cwd) ?? toSlashes(path);
}

/** Shows a path as a URI reference: percent-encoded, and a `file:` URI when absolute. */
export function toUri(path: string, cwd: string): string {
  const relative = toRelativePath(path, cwd);
  if (relative !== undefined) return encodePath(relative);
  const absolute = encodePath(toSlashes(path));
  if (absolute.startsWith('//')) return `file:${absolute}`;
  return `file://${absolute.startsWith('/') ? '' : '/'}${absolute}`;
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}

function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/');
}

function encodeSegment(segment: string, index: number): string {
  // A drive letter keeps its colon; anywhere else a colon would make the rest of it a scheme.
  const isDrive = sep === '\\' && index === 0 && DRIVE.test(segment);
  // Windows allows half a surrogate pair in names; `encodeURIComponent` throws for it.
  return isDrive ? segment : encodeURIComponent(segment.toWellFormed());
}
