import { afterAll, beforeAll, describe, it } from "vitest";
import { testVpcs } from "./vpc-conformance.ts";

testVpcs({ afterAll, beforeAll, describe, it, crashEvery: 11 });
