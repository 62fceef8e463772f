import type { EntryUsage } from '../../../model/usage.ts';

/**
 * The usage of every answer of a file, once: its lines repeat it, and the last has it as it was in the
 * end. Lines of one message that name different requests are different answers.
 */
export class UsageTable {
  readonly #byKey = new Map<string, EntryUsage[]>();

  add(usage: EntryUsage): void {
    const answers = this.#byKey.get(usage.key);
    if (!answers) {
      this.#byKey.set(usage.key, [usage]);
      return;
    }
    const at = answers.findIndex(
      ({ request }) =>
        request === undefined || usage.request === undefined || request === usage.request,
    );
    if (at < 0) answers.push(usage);
    else if (usage.request !== undefined) answers[at] = usage;
    else answers[at] = { ...usage, request: answers[at]?.request };
  }

  list(): readonly EntryUsage[] {
    return [...this.#byKey.values()].flat();
  }
}
