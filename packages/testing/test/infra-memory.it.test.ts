import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { memorySubject } from "./memory-subject.ts";

const tools = { afterAll, beforeAll, describe, it };

describe("with a shared inventory", () => infraMachineConformance(tools, memorySubject()));
describe("looking servers up one by one", () =>
  infraMachineConformance(tools, memorySubject({ withoutInventory: true })));
