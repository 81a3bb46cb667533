import { afterAll, beforeAll, describe, it } from "vitest";
import { testStorageKeys } from "./storage-key-conformance.ts";

testStorageKeys({ afterAll, beforeAll, describe, it, crashEvery: 11 });
