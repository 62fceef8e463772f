import { toPlace } from '../../../rules/place.ts';
import type { Place, Rule } from '../../../dialect/rule.ts';
import { hasOldRole, isV1Entry, isWithoutPlace } from '../format.ts';
import { checkEntries } from './entry-lines.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

/** Entries of an old version under a newer header. */
export const versionContradicted: Rule = {
  id: 'version-contradicted',
  level: 'error',
  fixable: false,
  summary: 'a header that is newer than the entries below it',
  help:
    'When pi forks a session of version 1 or 2, it copies the old entries under a new header, and ' +
    'then treats them as current ones: entries without ids have no parent, so all but the last ' +
    'are out of the context, and messages of the role `hookMessage` are not sent. `coppice ' +
    'migrate` adds what the entries lack.',
  check(report, { framing }) {
    let withoutIds = 0;
    let oldRoles = 0;
    let first: Place | undefined;
    let isOld = true;
    return {
      line: checkEntries(framing, (entry, line, version) => {
        isOld &&= isWithoutPlace(entry);
        const lacksPlace = isOld && isV1Entry(entry);
        if (version < 2 || !(lacksPlace || (version >= 3 && hasOldRole(entry)))) return;
        first ??= toPlace(line, entry);
        if (lacksPlace) withoutIds += 1;
        else oldRoles += 1;
      }),
      session({ session: { formatVersion } }) {
        if (!first) return;
        const what =
          withoutIds > 0
            ? `${formatCounted(withoutIds, 'entry', 'entries')} from here on without ids`
            : `${formatCounted(oldRoles, 'message')} from here on with the role hookMessage`;
        const verb = (withoutIds || oldRoles) === 1 ? 'is' : 'are';
        report(
          first,
          `the header has version ${formatVersion}, but there ${verb} ${what}: coppice migrate repairs it`,
        );
      },
    };
  },
};
