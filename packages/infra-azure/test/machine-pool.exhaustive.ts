import { infraMachinePoolConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { poolSubject } from "./pool-subject.ts";

const tools = { afterAll, beforeAll, describe, it };

describe("a Uniform scale set", () => infraMachinePoolConformance(tools, poolSubject("Uniform")));
describe("a Flexible scale set", () => infraMachinePoolConformance(tools, poolSubject("Flexible")));
