import { afterAll, beforeAll, describe, it } from "vitest";
import { infraClusterConformance, infraMachineConformance } from "../src/conformance.ts";
import { claimedClusterSubject, claimedMachineSubject } from "../src/subjects.ts";

const tools = { afterAll, beforeAll, describe, it };

infraClusterConformance(tools, claimedClusterSubject);
infraMachineConformance(tools, claimedMachineSubject);
