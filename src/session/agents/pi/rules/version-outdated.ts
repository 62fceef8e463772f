import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { CURRENT_VERSION } from '../format.ts';

/** A session that pi would migrate when it opens it. */
export const versionOutdated: Rule = {
  id: 'version-outdated',
  level: 'warning',
  fixable: false,
  summary: 'an old format version',
  help:
    'pi migrates such a session when it opens it: in place, not atomically, and without the lines ' +
    'that do not parse. `coppice migrate` does it safely, for all sessions at once, and with the ' +
    'same result each time.',
  check: (report) => ({
    session({ session, framing }) {
      const { header, formatVersion } = session;
      if (!header || formatVersion >= CURRENT_VERSION) return;
      const version =
        framing === 'array'
          ? 'is one JSON array, from before version 1'
          : `is of version ${formatVersion}`;
      report(
        toHeaderPlace(header),
        `${version}: coppice migrate upgrades it to version ${CURRENT_VERSION}`,
      );
    },
  }),
};
