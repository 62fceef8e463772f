export { INPUT, INPUT_BYTES, MAX_NAMES, NAMES, RECORDS, RECORD_BYTES } from './memory';
export { canPassOver, namesEnd, namesStart, position, reason, setNames, skim } from './skim';
