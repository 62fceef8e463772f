/**
 * Sequences that a terminal obeys and does not show: colours, cursor moves, titles (ECMA-48). Node's
 * `stripVTControlCharacters` takes quadratic time on `ESC ;#;#;#…` (20.20).
 */
export const TERMINAL_SEQUENCE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0000-\u001f\u007f-\u009f]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g;
