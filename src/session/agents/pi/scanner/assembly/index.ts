export { ending, scannedTo } from './ending';
export { CHUNKS, CHUNKS_END, INPUT, INPUT_BYTES, MAX_NAMES, NAMES, RECORDS, TEXTS } from './memory';
export { look, messageTime, scan, textsEnd } from './scan';
export { forget, learn, shape } from './shapes';
export { answers, canPassOver, lastTime, marksEnd, messages } from './skim';
export { namesEnd, namesStart, notes, setNames, skim, userMessages } from './skim';
