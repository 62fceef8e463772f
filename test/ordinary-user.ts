import { geteuid, seteuid } from 'node:process';

const NOBODY = 65_534;

/** Runs as a user whom file modes bind: for root, as CI often is, they mean nothing. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (geteuid?.() !== 0 || !seteuid) return work();
  seteuid(NOBODY);
  try {
    return await work();
  } finally {
    seteuid(0);
  }
}
