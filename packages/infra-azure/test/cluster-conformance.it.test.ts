import { afterAll, beforeAll, describe, it } from "vitest";
import { testClusters } from "./cluster-conformance.ts";

testClusters({ afterAll, beforeAll, describe, it, crashEvery: 23 });
