import { afterAll, beforeAll, describe, it } from "vitest";
import { testLinode } from "./conformance.ts";

testLinode({ afterAll, beforeAll, describe, it, crashEvery: 23 });
