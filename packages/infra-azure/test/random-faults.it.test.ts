import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";

const seed = Number(process.env["RANDOM_FAULTS_SEED"] ?? 1);

// A sample; `npm run test:exhaustive` takes thousands, and another seed each time.
it(`everything is there once, and later nothing, whatever fails at Azure, seed ${seed}`, () =>
  survivesRandomFaults({ faults: 80, seed }));
