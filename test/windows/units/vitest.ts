// What stands for Vitest in unit tests that node.exe runs: Vitest itself starts processes and talks to them
// through pipes, which Node under Wine does not know how to wait for. Tests, hooks, matchers and spies are
// Vitest's own packages.
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  GLOBAL_EXPECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  getState,
  setState,
} from '@vitest/expect';
import { getCurrentTest } from '@vitest/runner';
import { fn, restoreAllMocks, spyOn } from '@vitest/spy';
import * as chai from 'chai';

export {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  it,
  onTestFinished,
  test,
} from '@vitest/runner';

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

function assert(value: unknown, message?: string): unknown {
  const assertion = chai.expect(value, message) as unknown as {
    withTest(test: unknown): unknown;
  };
  const current = getCurrentTest();
  return current ? assertion.withTest(current) : assertion;
}

const matchers: object = Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT);
export const expect = Object.assign(assert, chai.expect, matchers, {
  unreachable: (message = 'unreachable'): never => chai.assert.fail(message),
});
Reflect.set(globalThis, GLOBAL_EXPECT, expect);
type Expect = Parameters<typeof getState>[0];
setState({ assertionCalls: 0 }, expect as unknown as Expect);

const stubbed = new Map<string, string | undefined>();

function setEnv(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

export const vi = {
  fn,
  spyOn,
  restoreAllMocks,
  stubEnv(name: string, value: string | undefined): void {
    if (!stubbed.has(name)) stubbed.set(name, process.env[name]);
    setEnv(name, value);
  },
  unstubAllEnvs(): void {
    for (const [name, value] of stubbed) setEnv(name, value);
    stubbed.clear();
  },
};
