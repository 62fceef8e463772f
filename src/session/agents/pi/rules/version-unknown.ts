import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { CURRENT_VERSION } from '../format.ts';

/** Finds a version of a newer agent, or of another one: it is recognized, and never changed. */
export const versionUnknown: Rule = {
  id: 'version-unknown',
  level: 'warning',
  fixable: false,
  summary: 'a format version newer than this coppice knows',
  help:
    'The meaning of its entries is not known, so they are not checked, and no command changes the ' +
    'file. Version 4 is the storage of pi-agent-core, which consists of transactions. Look for a ' +
    'newer coppice.',
  check: (report) => ({
    session({ session: { header, formatVersion } }) {
      if (formatVersion <= CURRENT_VERSION) return;
      const known = `${CURRENT_VERSION} is the newest that coppice knows`;
      report(
        toHeaderPlace(header),
        `is of version ${formatVersion}, and ${known}: not checked further`,
      );
    },
  }),
};
