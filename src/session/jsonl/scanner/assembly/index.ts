export { ending, scannedTo } from './ending';
export { isAscii, reduce, resultEnd } from './reduce';
