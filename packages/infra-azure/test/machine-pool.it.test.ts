import { infraMachinePoolConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { poolSubject } from "./pool-subject.ts";

// `npm run test:exhaustive` takes every case of both, and every point.
const tools = { afterAll, beforeAll, describe, it, crashEvery: 40 };

/** What goes through the API of instances, which a Flexible scale set does not have. */
const only = [
  "makes the pool, and an object for each of its machines",
  "grows, and shrinks by the deletion of Machines",
  "replaces machines of an old template within its bounds",
  "replaces a machine that was lost",
  "leaves nothing behind",
  "makes, scales and deletes although it crashes between any two calls",
];

describe("a Uniform scale set", () => infraMachinePoolConformance({ ...tools, only }, poolSubject("Uniform")));
describe("a Flexible scale set", () => infraMachinePoolConformance(tools, poolSubject("Flexible")));
