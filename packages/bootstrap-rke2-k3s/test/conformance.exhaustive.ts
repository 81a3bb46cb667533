import { afterAll, beforeAll, describe, it } from "vitest";
import { testConfigs } from "./conformance.ts";

testConfigs({ afterAll, beforeAll, describe, it });
