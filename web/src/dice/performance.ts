/** Whether a device draws dice in three dimensions quickly enough to do so unasked. */

import { writeStored, readStored } from "../app/storage";

const SLOW = "dice3d.slow";
const FEW_CORES = 4;
const NARROW = 360;
let able: boolean | null = null;

/** Its own graphics, some cores, room, no wish to save data, and no slow throw before. */
export const isAble = (): boolean => (able ??= looked());

function looked(): boolean {
  const { hardwareConcurrency = 1, connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  if (readStored(SLOW, false) || hardwareConcurrency < FEW_CORES || connection?.saveData || innerWidth < NARROW)
    return false;
  return !!document.createElement("canvas").getContext("webgl2", { failIfMajorPerformanceCaveat: true });
}

/** It was slow; it is not tried again unasked. */
export function wasSlow(): void {
  able = false;
  writeStored(SLOW, true);
}
