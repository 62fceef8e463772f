import { parseOverviewFacts } from '../export/html/overview-facts.ts';
import { writeOverviewPage } from '../export/html/overview.ts';
import type { ExportFolder } from '../store/export-folder.ts';
import { type FolderPlan, getRecordPrefix } from './export-job.ts';

/** The `index.html` of everything that was ever exported to the folder in this way. */
export async function writeOverview(folder: ExportFolder, plan: FolderPlan): Promise<void> {
  const pages = folder.list(getRecordPrefix(plan)).flatMap(([, { outputs, facts }]) => {
    const [href] = outputs;
    const session = parseOverviewFacts(facts);
    return href !== undefined && session ? [{ href, session }] : [];
  });
  if (pages.length < 2) return;
  await folder.write('index.html', writeOverviewPage(pages));
}
