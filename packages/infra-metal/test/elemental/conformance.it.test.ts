import { afterAll, beforeAll, describe, it } from "vitest";
import { testElemental } from "./conformance.ts";

testElemental({ afterAll, beforeAll, describe, it, crashEvery: 23 });
