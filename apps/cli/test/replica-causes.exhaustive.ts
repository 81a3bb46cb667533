import { describe } from "vitest";
import { replicaCauses } from "./replica-causes.ts";

describe("why a replica is missing, for every field of the templates", () => replicaCauses(1));
