import { afterAll, beforeAll, describe, it } from "vitest";
import { testMachines } from "./conformance.ts";

testMachines({ afterAll, beforeAll, describe, it, crashEvery: 23 });
