import { describe } from "vitest";
import { replicaCauses } from "./replica-causes.ts";

describe("why a replica is missing", () => replicaCauses(9));
