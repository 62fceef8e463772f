import { build } from '../../scripts/build/dist.mjs';

/** Tests that run the program run what its sources are now. */
export async function setup(): Promise<void> {
  await build();
}
