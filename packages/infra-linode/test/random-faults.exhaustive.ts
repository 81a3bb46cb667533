import { randomInt } from "node:crypto";
import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";

/** `RANDOM_FAULTS_SEED` plays a run again. */
const seed = Number(process.env["RANDOM_FAULTS_SEED"] ?? randomInt(2 ** 31));

it(`leaves nothing at the cloud after 10,000 faults of all kinds, seed ${seed}`, { timeout: 1_200_000 }, () =>
  survivesRandomFaults({ faults: 10_000, seed }),
);
