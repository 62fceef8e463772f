export { ending, scannedTo } from '../../../../jsonl/scanner/assembly/ending';
export { MAX_NAMES, NAMES, RECORDS, TEXTS } from './memory';
export { look, messageTime, scan, textsEnd } from './scan';
export { forget, learn, shape } from './shapes';
export { beginLine, endsOutside, isSound } from './soundness';
export { answers, answersEnd, canPassOver, lastTime, lastWritten, marksEnd } from './skim';
export { messages, namesEnd, namesStart, notes, setNames, skim, userMessages } from './skim';
