import { afterAll, beforeAll, describe, it } from "vitest";
import { infraClusterConformance, infraMachineConformance } from "../src/conformance.ts";
import { memoryClusterSubject, memorySubject } from "../src/subjects.ts";

// `npm run test:exhaustive` takes every point.
const tools = { afterAll, beforeAll, describe, it, crashEvery: 29 };

infraClusterConformance(tools, memoryClusterSubject);
infraMachineConformance(tools, memorySubject());
