import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { modularSubject } from "./modular-subject.ts";

infraMachineConformance({ afterAll, beforeAll, describe, it }, modularSubject);
