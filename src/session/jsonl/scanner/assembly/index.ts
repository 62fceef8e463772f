export { ending, scannedTo } from './ending';
export { hash } from './hash';
export { isAscii, reduce, resultEnd } from './reduce';
export { isBase64 } from './strings';
