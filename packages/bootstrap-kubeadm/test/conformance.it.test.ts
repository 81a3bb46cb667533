import { afterAll, beforeAll, describe, it } from "vitest";
import { testKubeadmConfigs } from "./conformance.ts";

testKubeadmConfigs({ afterAll, beforeAll, describe, it, crashEvery: 23 });
