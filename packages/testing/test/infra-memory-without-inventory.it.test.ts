import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { memorySubject } from "../src/subjects.ts";

infraMachineConformance({ afterAll, beforeAll, describe, it }, memorySubject({ withoutInventory: true }));
