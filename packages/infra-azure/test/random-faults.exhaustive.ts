import { randomInt } from "node:crypto";
import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";
import { poolsSurviveRandomFaults } from "./random-pool-faults.ts";

/** `RANDOM_FAULTS_SEED` plays a run again, `RANDOM_FAULTS` makes it a shorter or a longer one, `RANDOM_POOL_FAULTS` does so with pools. */
const seed = Number(process.env["RANDOM_FAULTS_SEED"] ?? randomInt(2 ** 31));
const faults = Number(process.env["RANDOM_FAULTS"] ?? 10_000);
/** Of pools: a round of each mode. */
const poolFaults = Number(process.env["RANDOM_POOL_FAULTS"] ?? 160);

it(
  `everything is there once, and later nothing, after ${faults} faults at Azure, seed ${seed}`,
  { timeout: 3_600_000 },
  async ({ annotate }) => {
    await annotate(await survivesRandomFaults({ faults, seed }));
  },
);

it(
  `pools have their machines, and later nothing, after ${poolFaults} faults at Azure, seed ${seed}`,
  { timeout: 3_600_000 },
  async ({ annotate }) => {
    await annotate(await poolsSurviveRandomFaults({ faults: poolFaults, seed }));
  },
);
