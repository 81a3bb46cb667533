import { randomInt } from "node:crypto";
import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";
import { poolsSurviveRandomFaults } from "./random-pool-faults.ts";

/** `RANDOM_FAULTS_SEED` plays a run again, `RANDOM_FAULTS` makes it a shorter or a longer one, `RANDOM_POOL_FAULTS` adds pools. */
const seed = Number(process.env["RANDOM_FAULTS_SEED"] ?? randomInt(2 ** 31));
const faults = Number(process.env["RANDOM_FAULTS"] ?? 10_000);
/** Of pools: only where somebody asks for them, since each round takes minutes. */
const poolFaults = Number(process.env["RANDOM_POOL_FAULTS"] ?? 0);

it(
  `everything is there once, and later nothing, after ${faults} faults at Azure, seed ${seed}`,
  { timeout: 3_600_000 },
  async ({ annotate }) => {
    await annotate(await survivesRandomFaults({ faults, seed }));
  },
);

it.runIf(poolFaults > 0)(
  `pools have their machines, and later nothing, after ${poolFaults} faults at Azure, seed ${seed}`,
  { timeout: 3_600_000 },
  async ({ annotate }) => {
    await annotate(await poolsSurviveRandomFaults({ faults: poolFaults, seed }));
  },
);
