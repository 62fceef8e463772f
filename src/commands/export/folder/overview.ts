import {
  type OverviewFacts,
  readOverviewFacts,
} from '../../../export/formats/html/overview/overview-facts.ts';
import { writeOverviewPage } from '../../../export/formats/html/overview/overview.ts';
import type { ExportFolder } from '../../../store/output/export-folder.ts';
import type { WrittenFile } from '../../../store/output/output-directory.ts';

/** Pages have their facts in the first bytes; many days and models take more. */
const HEAD_BYTES = [16 * 1024, 1024 * 1024] as const;

/**
 * Writes the `index.html` of every page that was ever exported to the folder; with redaction, only of
 * the pages from which the same secrets were taken out. If several runs share the folder, the last one
 * to write it has seen the pages of all. A session that has moved since is shown, and counted, once.
 */
export async function writeOverview(folder: ExportFolder, redaction: string): Promise<void> {
  let written: readonly string[] = [];
  for (;;) {
    const pages = listPages(folder, redaction);
    const names = pages.map(({ name }) => name);
    if (names.join('\n') === written.join('\n')) return;
    const shown = pages.flatMap(({ name }) => {
      const session = readFacts(folder, name);
      return session ? [{ href: name, session }] : [];
    });
    if (shown.length > 0) await folder.output.write('index.html', writeOverviewPage(shown));
    written = names;
  }
}

function readFacts(folder: ExportFolder, name: string): OverviewFacts | undefined {
  for (const bytes of HEAD_BYTES) {
    const facts = readOverviewFacts(folder.readHead(name, bytes));
    if (facts) return facts;
  }
  return undefined;
}

function listPages(folder: ExportFolder, redaction: string): readonly WrittenFile[] {
  return folder.list('html:').flatMap(([, record]) => {
    const isShown = redaction === '' || record.redaction === redaction;
    return isShown && record.hasMoved !== true ? record.files.slice(0, 1) : [];
  });
}
