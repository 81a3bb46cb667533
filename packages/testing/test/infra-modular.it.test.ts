import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { modularSubject } from "../src/subjects.ts";

// `npm run test:exhaustive` takes every point.
infraMachineConformance({ afterAll, beforeAll, describe, it, crashEvery: 29 }, modularSubject);
