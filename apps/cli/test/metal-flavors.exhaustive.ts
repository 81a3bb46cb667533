import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulation } from "@capstan/sim-metal";
import { expect, it } from "vitest";
import { createProgram } from "../src/program.ts";
import { switchedOn } from "./metal-rack.ts";
import { startTestSystemOn } from "./test-system.ts";

it("prints the flavor existing-hardware, which runs on Hardware of Tinkerbell", async () => {
  const example = readFileSync(join(import.meta.dirname, "../../../examples/metal/tinkerbell.yaml"), "utf8");
  let generated = "";
  const program = createProgram({ write: (text) => void (generated += text) });
  const flags = [
    "--infrastructure",
    "metal",
    "--flavor",
    "existing-hardware",
    "--kubernetes-version",
    "v1.34.0",
    "--workers",
    "1",
  ];
  const address = "CONTROL_PLANE_VIP=${METAL_CONTROL_PLANE_ADDRESS}";
  expect(await program.run(["generate", "cluster", "anvil", ...flags, "--set", address])).toBe(0);
  const rack = example.slice(0, example.indexOf("---\napiVersion: cluster.x-k8s.io"));
  await using system = await startTestSystemOn(
    { metal: (outside) => createSimulation(outside) },
    `${rack}---\n${generated}`,
  );
  await system.untilRunning();
  expect(switchedOn(system.simulator)).toHaveLength(2);
});
