import { readOverviewFacts } from '../../export/formats/html/overview/overview-facts.ts';
import { writeOverviewPage } from '../../export/formats/html/overview/overview.ts';
import type { ExportFolder } from '../../store/output/export-folder.ts';

/** Pages have their facts in the first bytes. */
const HEAD_BYTES = 1024 * 1024;

/**
 * The `index.html` of every page that was ever exported to the folder, or, where secrets are taken
 * out, of those from which they were in the same way. It says what the pages say.
 */
export async function writeOverview(folder: ExportFolder, redaction: string): Promise<void> {
  const pages = folder.list('html:').flatMap(([, record]) => {
    const [page] = record.files;
    if (!page || (redaction !== '' && record.redaction !== redaction)) return [];
    const session = readOverviewFacts(folder.readHead(page.name, HEAD_BYTES));
    return session ? [{ href: page.name, session }] : [];
  });
  if (pages.length > 0) await folder.output.write('index.html', writeOverviewPage(pages));
}
