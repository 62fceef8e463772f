// Stands in for 180 MB of machine code. What reads and writes sessions needs one thing of it: a lock between
// processes, of which there is one here.
export class FileLock {
  acquired = true;
  static tryAcquire() {
    return new FileLock();
  }
  release() {}
}

// The names that modules around sessions import, for terminals, processes and pictures.
const absent = () => {
  throw new Error('not in the stand-in of pi-natives');
};
export { absent as encodeSixel, absent as renderMermaidAscii, absent as renderSnapcompactPng };
export { absent as extractSegments, absent as sliceWithWidth, absent as truncateToWidth };
export { absent as matchesKey, absent as parseKey, absent as parseKittySequence };
export { absent as NativeOAuthCallback, absent as Process, absent as wrapTextWithAnsi };
export { absent as setHangulCompatJamoWidthOverride, absent as snapcompactSupportedChars };
export const Ellipsis = {};
export const Encoding = {};
export const ProcessStatus = {};
