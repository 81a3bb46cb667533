import { afterAll, beforeAll, describe, it } from "vitest";
import {
  controlPlaneConformance,
  infraMachineConformance,
  infraMachinePoolConformance,
  resourceConformance,
} from "../src/conformance.ts";
import { claimedMachineSubject, memorySubject, modularSubject, pooledSubject } from "../src/subjects.ts";
import { plainControlPlaneSubject } from "./plain-control-plane-subject.ts";
import { networkSubject } from "./resource-subject.ts";

const tools = { afterAll, beforeAll, describe, it };

describe("machines in memory", () => infraMachineConformance(tools, memorySubject()));
describe("machines in memory, without an inventory", () =>
  infraMachineConformance(tools, memorySubject({ withoutInventory: true })));
describe("machines of several resources", () => infraMachineConformance(tools, modularSubject));
describe("pools of machines", () => infraMachinePoolConformance(tools, pooledSubject));
describe("machines that are claimed", () => infraMachineConformance(tools, claimedMachineSubject));
describe("a plain control plane", () => controlPlaneConformance(tools, plainControlPlaneSubject));
describe("networks", () => resourceConformance(tools, networkSubject));
