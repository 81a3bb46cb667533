import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { memorySubject } from "../src/subjects.ts";

// `npm run test:exhaustive` takes every point.
const tools = { afterAll, beforeAll, describe, it, crashEvery: 29 };

infraMachineConformance(tools, memorySubject({ withoutInventory: true }));
