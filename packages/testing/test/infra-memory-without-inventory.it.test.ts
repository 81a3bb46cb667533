import { afterAll, beforeAll, describe, it } from "vitest";
import { infraMachineConformance } from "../src/conformance.ts";
import { memorySubject } from "../src/subjects.ts";

// What depends on how servers are found; `npm run test:exhaustive` takes every case and every point.
const only = [
  "creates one server and fills in the contract",
  "writes nothing once everything is as it should be",
  "makes one server although answers are lost",
  "tries again after refusals",
  "reports a vanished server and does not replace it",
  "rebuilds its status after a move",
  "removes the server before the object goes",
  "removes what a creation made while the object was deleted",
  "makes one server although it crashes between any two calls",
  "leaves no server although it crashes between any two calls",
];

infraMachineConformance(
  { afterAll, beforeAll, describe, it, crashEvery: 29, only },
  memorySubject({ withoutInventory: true }),
);
