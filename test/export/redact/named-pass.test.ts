import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';
import { redactText, VALUES } from './redact-text.ts';

const SECRETS = [...VALUES, '3b1f8c2e-5d6a-4f7b-9c8d-1a2b3c4d5e6f'];

it.each([
  'PASS = "*"',
  "PASS = '*'",
  'PASS = *',
  'PASS: *',
  'PASS: "*"',
  '  environment:\n    USER: bob\n    PASS: *\n',
  '  environment:\n    PASS: *\n    HOST: db\n',
  "{'PASS': '*'}",
  'const PASS = "*";',
  'PASS := "*"',
  'PASS ?= *',
  "PASS => '*'",
  'const PASS: &str = "*";',
  'private static final String PASS = "*";',
  '#define PASS "*"',
  'ENV PASS *',
  'setx PASS *',
  '$env:PASS = "*"',
  'PASS=${PASS:-*}',
  '- name: PASS\n  value: *',
])('finds a password that is called PASS: %s', async (form) => {
  for (const value of SECRETS) {
    const text = `see\n${form.replace('*', () => value)}\nthere`;
    expect(await redactText(text)).not.toContain(value);
  }
});

it.each([
  'PASS = "*"',
  'const PASS = "*";',
  'PASS: "*"',
  '    USER: bob\n    PASS: *\n',
  '{"PASS": "*"}',
])('finds a word with a number that is called PASS: %s', async (form) => {
  const text = `see\n${form.replace('*', 'hunter2')}\nthere`;
  expect(await redactText(text)).not.toContain('hunter2');
});

it('finds a password that is called PASS in arguments of a tool', async () => {
  const payload = { input: { env: { PASS: 'hunter2' } } };
  const safe = await new Redactor(detectSecrets, []).redact(payload, 1);
  expect(JSON.stringify(safe)).not.toContain('hunter2');
});

it.each([
  'PASS: TestParse2 (0.00s)\nPASS: TestHttp2\nFAIL: TestHttp3\nXFAIL: test-foo4.sh',
  'PASS src/a1b2C3d4.test.ts\n# PASS:  12345\n--- PASS: TestFoo2 (0.00s)',
  'PASS: LLVM :: CodeGen/X86/foo2.ll (1 of 2)',
  'PASS = "passed"; PASS = "test-passed"; PASS = "#22c55e"; PASS: "bg-green-500"; PASS = 12',
  String.raw`PASS = '\x1b[32m'; PASS = "\u001b[32mPASS\u001b[0m"; PASS = f"{GREEN}1{END}"`,
  'if (result === PASS) n1(); PASS == "x1y2z3Q!"; PASS = Status.PASS1; PASS = getenv("SMTP_PASS1")',
  '| PASS | FAIL |\n|------|------|\n| 12 | 3 |',
])('takes no result of a test for a password: %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it('takes no lists of tests for passwords', async () => {
  const payload = { PASS: ['TestParse2', 'TestHttp2'], FAIL: ['TestHttp3'] };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});
