import { randomInt } from "node:crypto";
import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";

/** `RANDOM_FAULTS_SEED` plays a run again, `RANDOM_FAULTS` makes it shorter or longer. */
const seed = Number(process.env["RANDOM_FAULTS_SEED"] ?? randomInt(2 ** 31));
const faults = Number(process.env["RANDOM_FAULTS"] ?? 10_000);

it(`leaves nothing at the cloud after ${faults} faults of all kinds, seed ${seed}`, { timeout: 3_600_000 }, () =>
  survivesRandomFaults({ faults, seed }),
);
