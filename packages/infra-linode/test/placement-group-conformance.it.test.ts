import { afterAll, beforeAll, describe, it } from "vitest";
import { testPlacementGroups } from "./placement-group-conformance.ts";

testPlacementGroups({ afterAll, beforeAll, describe, it, crashEvery: 11 });
