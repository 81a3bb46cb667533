import { afterAll, beforeAll, describe, it } from "vitest";
import { infraClusterConformance, infraMachineConformance } from "../src/conformance.ts";
import { memoryClusterSubject, memorySubject } from "../src/subjects.ts";

const tools = { afterAll, beforeAll, describe, it };

infraClusterConformance(tools, memoryClusterSubject);
infraMachineConformance(tools, memorySubject());
