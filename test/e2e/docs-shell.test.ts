import { describeLines } from './docs-lines.ts';

// Pages that have lines for a shell, which takes as long for each as forty lines without.
describeLines(true);
