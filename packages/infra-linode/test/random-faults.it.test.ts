import { it } from "vitest";
import { survivesRandomFaults } from "./random-faults.ts";

// A sample; `npm run test:exhaustive` takes thousands, and another seed each time.
it("leaves nothing at the cloud after faults of all kinds", () => survivesRandomFaults({ faults: 120, seed: 1 }));
