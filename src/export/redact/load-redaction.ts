import type { Redactor } from './redactor.ts';

/** Makes a redactor for one session: what was found in one says nothing of another. */
export type CreateRedactor = () => Redactor | undefined;

/**
 * Loads a redactor for these secrets and all that look like one; undefined: nothing is taken out. Its code is
 * loaded only where it is used.
 */
export async function loadRedaction(
  secrets: readonly string[] | undefined,
): Promise<CreateRedactor> {
  if (!secrets) return () => undefined;
  const [{ detectSecrets }, { Redactor }] = await Promise.all([
    import('./secrets/detect-secrets.ts'),
    import('./redactor.ts'),
  ]);
  return () => new Redactor(detectSecrets, secrets);
}
