import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { modularSubject } from "../src/subjects.ts";

infraMachineConformance({ afterAll, beforeAll, describe, it }, modularSubject);
