import { afterAll, beforeAll, describe, it } from "vitest";
import { testTinkerbell } from "./conformance.ts";

testTinkerbell({ afterAll, beforeAll, describe, it, crashEvery: 23 });
