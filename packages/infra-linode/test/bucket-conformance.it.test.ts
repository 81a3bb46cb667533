import { afterAll, beforeAll, describe, it } from "vitest";
import { testBuckets } from "./bucket-conformance.ts";

testBuckets({ afterAll, beforeAll, describe, it, crashEvery: 11 });
