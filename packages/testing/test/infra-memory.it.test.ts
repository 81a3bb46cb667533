import { afterAll, beforeAll, describe, it } from "vitest";
import { infraClusterConformance, infraMachineConformance } from "../src/conformance.ts";
import { memoryClusterSubject } from "./memory-cluster-subject.ts";
import { memorySubject } from "./memory-subject.ts";

const tools = { afterAll, beforeAll, describe, it };

infraClusterConformance(tools, memoryClusterSubject);
infraMachineConformance(tools, memorySubject());
