import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachinePoolConformance } from "../src/conformance.ts";
import { pooledSubject } from "../src/subjects.ts";

// `npm run test:exhaustive` takes every point.
infraMachinePoolConformance({ afterAll, beforeAll, describe, it, crashEvery: 17 }, pooledSubject);
