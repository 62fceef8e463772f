import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';

/** What the manifests of the documentation may be. */
export type Manifest = CronJob | Job;
