import { parseOverviewFacts } from '../export/html/overview-facts.ts';
import { writeOverviewPage } from '../export/html/overview.ts';
import type { ExportFolder } from '../store/export-folder.ts';

/** The `index.html` of everything that was ever exported to the folder in this way. */
export async function writeOverview(folder: ExportFolder, prefix: string): Promise<void> {
  const pages = folder.list(prefix).flatMap(([, { outputs, facts }]) => {
    const [href] = outputs;
    const session = parseOverviewFacts(facts);
    return href !== undefined && session ? [{ href, session }] : [];
  });
  if (pages.length < 2) return;
  await folder.output.write('index.html', writeOverviewPage(pages));
}
